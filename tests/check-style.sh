#!/bin/sh
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

# usage: check-style.sh CHECKPATCH MAX-LINES FILE...
#
# Checks each FILE with OVS's CHECKPATCH, for the licence notice, for its length,
# and for what only some versions of OVS have.
#
# One of CHECKPATCH's warnings takes the "/" of a file name in a string, "\n",
# "[-1]" and "***" for operators.  Lines with those are passed over.  Newer
# versions take the file's name for a patch's subject and find fault with that.

checkpatch=$1 max_lines=$2
shift 2

found=`python3 "$checkpatch" -q -f "$@" | awk '
    /^(WARNING|ERROR):/ {
        heads = heads $0 " "
        other = other || $0 !~ /The subject summary|around operator/
        operator = operator || $0 ~ /lacks whitespace around operator/
        next
    }
    heads == "" { next }
    where == "" { where = $0; next }
    {
        if (other || (operator \
                && $0 !~ /"[^"]*\/|\\n|\[-1\]|\*\*\*|\/\*/)) {
            print where, heads; print
        }
        heads = where = ""
        other = operator = 0
    }'`
status=0
if test -n "$found"; then
    echo "$found"
    status=1
fi
for file; do
    if head -n 3 "$file" | grep 'Licensed under the Apache License' \
         >/dev/null; then :; else
        echo "$file: no licence notice"
        status=1
    fi
    if grep -nE '(^|[^_a-z])(ignore|ATOMIC_VAR_INIT) *\(' "$file"; then
        echo "$file: not every version of OVS has that (see fb-ignore.h; an" \
             "atomic variable takes a plain initializer)"
        status=1
    fi
    if test `wc -l <"$file"` -gt "$max_lines"; then
        echo "$file: over $max_lines lines"
        status=1
    fi
done
exit $status
