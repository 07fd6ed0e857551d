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

# Packages of Debian and Ubuntu: which are needed, and installing those that
# are missing.
#
# Needs step.sh and user.sh.

: "${policy_rc_d:=/usr/sbin/policy-rc.d}"
policy_mark="ovs-fanbench quickstart"

# Ends the script where apt is not what installs packages.
packages_find_distribution () {
    for tool in apt-get apt-cache dpkg-query; do
        command -v $tool >/dev/null \
            || die "$tool not found: quickstart serves Debian and Ubuntu;" \
                   "README.rst says how to build elsewhere"
    done
}

# Without these, nothing can be built or run.
packages_needed () {
    echo autoconf automake libtool gcc libc6-dev make pkg-config python3 \
        libssl-dev libnl-3-dev libnl-genl-3-dev libnl-route-3-dev \
        python3-docutils openvswitch-source openvswitch-switch kmod iproute2
}

# What the tests need besides.
packages_for_check () {
    echo tcpdump tshark jq python3-jsonschema iputils-ping conntrack
}

# Not every release and architecture has these: libraries that the
# distribution's own ovs-vswitchd is built with, the guest's kernel, and what
# sends TCP; for the tests, what emulates the machine of the other guest.
packages_optional () {
    echo libcap-ng-dev libunbound-dev libxdp-dev libbpf-dev libnuma-dev \
        user-mode-linux iperf3
    case ${command:-} in
        check | packages) echo qemu-system-x86 ;;
    esac
}

# package_installed NAME
package_installed () {
    test "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" \
        = installed
}

# package_available NAME: whether apt knows a version of it to install.
package_available () {
    apt-cache policy "$1" 2>/dev/null \
        | grep '^  Candidate: [^(]' >/dev/null
}

# Prints which of its arguments are not installed.
packages_missing () {
    for package in "$@"; do
        package_installed "$package" || printf ' %s' "$package"
    done
}

# Keeps packages from starting daemons when they are first installed.  A policy
# that the administrator has set stays as it is.
policy_set () {
    if test ! -e $policy_rc_d; then
        cat >$policy_rc_d.fanbench <<EOT
#!/bin/sh
# Put here by $policy_mark while it installs packages.
# An action in parentheses is one that the runlevel does not ask for.
case " \$* " in
    *" start "* | *" (start) "*) exit 101 ;;
esac
exit 0
EOT
        chmod 755 $policy_rc_d.fanbench
        mv $policy_rc_d.fanbench $policy_rc_d
    fi
}

# Takes back what policy_set() did.
packages_cleanup () {
    if test "$(id -u)" = 0 && test -f $policy_rc_d \
            && grep "$policy_mark" $policy_rc_d >/dev/null 2>&1; then
        rm -f $policy_rc_d
    fi
}

# Leaves Open vSwitch's services, just installed, disabled at boot.
services_disable () {
    if command -v systemctl >/dev/null; then
        systemctl disable openvswitch-switch.service || return 1
    fi
    if test -x /etc/init.d/openvswitch-switch; then
        update-rc.d openvswitch-switch disable || return 1
    fi
}

# Installs the packages given as arguments.
packages_apt_install () {
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
        install -y --no-install-recommends "$@"
}

# The same, on newer package lists if the first attempt fails: they may name
# versions that the archive no longer has.
packages_apt_install_or_update () {
    packages_apt_install "$@" || {
        apt-get update
        packages_apt_install "$@"
    }
}

# packages_install "NAME...": installs those of the named packages that are
# missing, and the optional ones that are to be had.
packages_install () {
    missing=$(packages_missing $1)
    optional=$(packages_missing $(packages_optional))
    test -n "$missing$optional" || return 0

    if test "$(id -u)" != 0; then
        test -z "$missing" \
            || die "please run \"sudo $0 packages\" first, which installs" \
                   "the missing packages:$missing"
        return 0
    fi

    for package in $missing; do
        if ! package_available "$package"; then
            step apt-update "Updating the package lists" apt-get update
            break
        fi
    done
    unknown=
    for package in $missing; do
        package_available "$package" || unknown="$unknown $package"
    done
    test -z "$unknown" \
        || die "apt knows no package$unknown (on Ubuntu, is the \"universe\"" \
               "component enabled?)"
    for package in $optional; do
        if package_available "$package"; then
            missing="$missing $package"
        fi
    done
    test -n "$missing" || return 0

    new_ovs=no
    package_installed openvswitch-switch || new_ovs=yes
    policy_set
    step apt-install "Installing packages:$missing" \
        packages_apt_install_or_update $missing
    packages_cleanup
    if test $new_ovs = yes; then
        step services "Leaving the new Open vSwitch services disabled" \
            services_disable
    fi
}
