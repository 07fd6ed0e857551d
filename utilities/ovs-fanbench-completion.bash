# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at:
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Completion for ovs-fanbench in bash.

# Completes the last element of a list with commas; $1 is the word so far, the
# rest are the elements to choose from.
_ovs_fanbench_list ()
{
    local prefix=""
    local cur=$1
    shift
    case $cur in
        *,*)
            prefix=${cur%,*},
            ;;
    esac
    COMPREPLY=( $(compgen -P "$prefix" -W "$*" -- "${cur##*,}") )
}

# Completes the value $2 of the option $1.
_ovs_fanbench_value ()
{
    case $1 in
        --duts)
            _ovs_fanbench_list "$2" wire linux-bridge ovs-userspace \
                ovs-userspace-afxdp ovs-userspace-dpdk ovs-kernel
            ;;
        --backend)
            COMPREPLY=( $(compgen -W "auto sendmmsg ring xdp pktgen" -- "$2") )
            ;;
        --guest)
            COMPREPLY=( $(compgen -W "uml qemu" -- "$2") )
            ;;
        --load)
            COMPREPLY=( $(compgen -W "frames iperf3" -- "$2") )
            ;;
        --pattern)
            COMPREPLY=( $(compgen -W "uniform burst flood churn bidirectional matrix" -- "$2") )
            ;;
        --flow-fields)
            _ovs_fanbench_list "$2" sport dport ip-src ip-dst eth-src
            ;;
        --frame-size)
            COMPREPLY=( $(compgen -W "imix" -- "$2") )
            ;;
        --search)
            COMPREPLY=( $(compgen -W "ndr pdr mlr" -- "$2") )
            ;;
        --format | -f)
            COMPREPLY=( $(compgen -W "table csv html json" -- "$2") )
            ;;
        --output | --pcap)
            compopt -o filenames 2>/dev/null || :
            COMPREPLY=( $(compgen -f -- "$2") )
            ;;
        --vswitchd)
            compopt -o filenames 2>/dev/null || :
            COMPREPLY=( $(compgen -c -- "$2") $(compgen -f -- "$2") )
            ;;
    esac
}

_ovs_fanbench ()
{
    local IFS=$' \t\n'
    local cur=${COMP_WORDS[COMP_CWORD]}
    local prev=
    local command="" word i
    local common="--timeout= --verbose= --help --version"
    local run="--duts= --db= --uplink= --like= --quick --full --precision= --max-time= --trials= --builds=
               --search= --loss-ratio= --sweep= --values=
               --duration= --warmup= --frame-size= --flows=
               --backend= --pcap= --pattern= --burst= --pause= --flow-packets=
               --masks= --load= --tso --cpus= --tune
               --flow-fields= --ipv6 --vlan=
               --destinations= --seed= --rate= --latency-rate=
               --latency-at= --no-latency --check-order --format= --output=
               --vswitchd= --guest --guest= --guest-cpus= --no-guest --no-spinner"

    COMPREPLY=()
    if test "$COMP_CWORD" -gt 0; then
        prev=${COMP_WORDS[COMP_CWORD-1]}
    fi

    # Bash takes "--option=value" apart at the "=".
    if test "$cur" = "="; then
        _ovs_fanbench_value "$prev" ""
        return
    elif test "$prev" = "=" && test "$COMP_CWORD" -gt 1; then
        _ovs_fanbench_value "${COMP_WORDS[COMP_CWORD-2]}" "$cur"
        return
    elif test "$prev" = "-f"; then
        _ovs_fanbench_value -f "$cur"
        return
    fi

    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
            run | list | doctor | describe | cleanup)
                command=$word
                break
                ;;
        esac
    done

    case $cur,$command in
        -*,run | -*,)
            COMPREPLY=( $(compgen -W "$run $common -f -v" -- "$cur") )
            ;;
        -*,doctor)
            COMPREPLY=( $(compgen -W "--db= --interval= --format= --output=
                                      $common -f -v" -- "$cur") )
            ;;
        -*,describe)
            COMPREPLY=( $(compgen -W "--db= --format= --output=
                                      $common -f -v" -- "$cur") )
            ;;
        -*,*)
            COMPREPLY=( $(compgen -W "$common -v" -- "$cur") )
            ;;
        *,run)
            COMPREPLY=( $(compgen -W "fanout burst flood flow-stats
                                      interface-stats path-length port-churn
                                      revalidators sizes masks cold
                                      ceiling churn upcall mirror tap" -- "$cur") )
            ;;
        *,)
            COMPREPLY=( $(compgen -W "run list doctor describe cleanup" -- "$cur") )
            ;;
    esac
    case ${COMPREPLY[*]} in
        *=)
            compopt -o nospace 2>/dev/null || :
            ;;
    esac
}

complete -F _ovs_fanbench ovs-fanbench
