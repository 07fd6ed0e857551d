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

# Who owns what is built.  Under sudo, in a tree that belongs to the user who
# called it, the build runs as that user, so that the tree stays theirs.
#
# Needs $topdir.

build_uid=
if test "$(id -u)" = 0 && test "${SUDO_UID:-0}" != 0 \
        && test "$(stat -c %u "$topdir")" = "$SUDO_UID"; then
    build_uid=$SUDO_UID
    build_gid=${SUDO_GID:-$SUDO_UID}
    build_home=$(getent passwd "$build_uid" | cut -d: -f6)
fi

# Runs a command as the tree's owner.
as_user () {
    if test -n "$build_uid"; then
        HOME=${build_home:-/} setpriv --reuid="$build_uid" \
            --regid="$build_gid" --clear-groups "$@"
    else
        "$@"
    fi
}

# Gives the directory $1 to the tree's owner, with what root has put in it.
user_give_back () {
    if test -n "$build_uid" && test -d "$1"; then
        chown -hR "$build_uid:$build_gid" "$1" || :
    fi
}
