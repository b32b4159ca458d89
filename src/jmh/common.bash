# No command: what the scripts beside it have in common, which source it. Compiles the load programs, starts
# servers, and ends what was started when the script ends, however it ends.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." > /dev/null && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
load=$root/target/jmh/load
compiled=$load/org/microhttp/load/Client.class
smoke=${SMOKE-}

# For a compiler, which runs for seconds: to compile most of it once is enough.
javac_flags=(-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC)

# A server that is left behind, because the script was killed with no chance to clean up, ends after this
# long.
seconds=${SECONDS_AT_MOST:-600}

# some servers are in folders that only an administrator has in the path
export PATH=$PATH:/usr/sbin:/usr/local/sbin:/sbin
pids=()
# before a command that has a network of its own
network=()
temporary=$(mktemp -d)
cleanup() {
    trap - EXIT INT TERM HUP
    if [[ ${#pids[@]} -gt 0 ]]; then
        kill "${pids[@]}" 2> /dev/null || true
        wait "${pids[@]}" 2> /dev/null || true
    fi
    rm -rf -- "$temporary"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# The head of the script, which names its settings.
head_of_script() { sed -n '2,/^[^#]/ { s/^# \{0,1\}//p }' "$0"; }

# Of a script that takes its settings from the environment alone: anything else shows the head, and nothing is
# started.
no_arguments() {
    [[ $# -gt 0 ]] || return 0
    if [[ $1 == --help || $1 == -h ]]; then
        head_of_script
        exit
    fi
    echo "${0##*/}: unknown: $1"$'\n'"$(head_of_script)" >&2
    exit 2
}

# Sets arguments to those given, but for --smoke, which is the same as SMOKE=1.
smoke_arguments() {
    local argument
    arguments=()
    for argument in "$@"; do
        case $argument in
            --help | -h) head_of_script && exit ;;
            --smoke) smoke=1 ;;
            *) arguments+=("$argument") ;;
        esac
    done
}

# Ends the script where a program, given with its package in Debian, is missing; a smoke run only says so.
need() {
    local program missing
    for program in "$@"; do
        command -v "${program%=*}" > /dev/null && continue
        missing="${program%=*} is missing; in Debian it is in the package ${program#*=}"
        [[ -z $smoke ]] || { echo "nothing is compared: $missing"; exit; }
        fail "$missing"
    done
}

# A tool of the examples, beside the load programs.
compile_example() {
    local sources=$temporary/sources/org/microhttp module
    mkdir -p "$sources"
    # not their descriptions of modules
    for module in extras httpserver tools; do
        ln -sfn "$root/examples/$module/src/main/java/org/microhttp/$module" "$sources/$module"
    done
    "${java}c" "${javac_flags[@]}" --release 17 -encoding UTF-8 -cp "$load" -d "$temporary/program" \
        -sourcepath "$temporary/sources" "$sources/$1.java"
    # servers that are other users read files there
    chmod 711 "$temporary"
}

# As many as can be had; sets files to how many these are.
all_descriptors() {
    ulimit -n "$(ulimit -Hn)"
    files=$(ulimit -n)
    [[ $files != unlimited ]] || files=1000000
}

# The library and the load programs, without Maven and without JMH, in a folder of their own. Strings are
# joined as Maven has them joined, because the start is measured.
compile() {
    mkdir -p "$root/target/jmh"
    # one script at a time, so that none takes away what another runs
    exec 9> "$root/target/jmh/lock"
    ! command -v flock > /dev/null || flock 9
    if [[ -f $compiled && -z $(find "$root/src/main/java" "$root/src/jmh/java" -name '*.java' \
            -newer "$compiled" -print -quit) ]]; then
        exec 9>&-
        return
    fi
    "${java}c" "${javac_flags[@]}" --release 17 -encoding UTF-8 -proc:none -XDstringConcat=inline \
        -d "$temporary/load" "$root"/src/main/java/org/microhttp/{,protocol/}*.java \
        "$root"/src/jmh/java/org/microhttp/*/*.java
    rm -rf -- "$load"
    # without flock another script may have been faster
    mv -T "$temporary/load" "$load" 2> /dev/null || [[ -f $compiled ]]
    exec 9>&-
}

# Runs a command so that a signal to this script is noticed at once, not when the command has ended.
run() {
    "$@" &
    pids+=($!)
    wait $!
}

# Starts a server program and waits until it listens; sets port.
start_server() {
    local output=$temporary/server${#pids[@]} i
    : > "$output"
    timeout -k 5 "$seconds" "$java" -cp "$load" "$@" > "$output" < /dev/null &
    pids+=($!)
    for ((i = 0; i < 400; i++)); do
        port=$(sed -n 's/^listening on .*://p' "$output")
        [[ -n $port ]] && return
        kill -0 $! 2> /dev/null || break
        sleep 0.025
    done
    fail "the server does not listen: $*"
}

# Puts load on a server; says with which command.
run_client() {
    echo "command          org.microhttp.load.Client $*"
    run "$java" -cp "$load" org.microhttp.load.Client "$@"
}

# What a figure means nothing without.
facts() {
    echo "shape            $*"
    "$root/src/jmh/machine" | sed 's/^# \([a-z]*\): /\1                 /; s/^\(.\{17\}\) */\1/'
    echo "server and client share the processors"
}

# Runs a comparison, given by its name, with arguments.
run_comparison() {
    compile
    all_descriptors
    local cpus
    # a list like 0-3,8 as one of all
    cpus=$(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r first last; do
        seq "$first" "${last:-$first}"
    done | paste -sd ,)
    "$root/src/jmh/machine" nginx haproxy lighttpd apache2 python3 wrk ab tar bzip2 brotli cdb \
        > "$temporary/facts"
    run "${network[@]}" "$java" -Djava.io.tmpdir="$temporary" -cp "$load:$temporary/program" \
        org.microhttp.compare.Compare "$1" "$root" "$temporary" "$files" "$cpus" "${arguments[@]}"
}

# How many connections a process can have, beside the files that a JVM or ab needs for itself.
room() {
    local files
    files=$(ulimit -n)
    if [[ $files == unlimited ]]; then echo 10000000; else echo $((files > 400 ? files - 200 : files / 2)); fi
}

need_ab() {
    command -v ab > /dev/null || fail "ab is missing; in Debian it is in the package apache2-utils"
}

# ab CONNECTIONS REQUESTS, after a tenth of the requests to warm up; fails when ab, or a request, failed.
run_ab() {
    local url=http://127.0.0.1:$port/plaintext
    run ab -q -k -c "$1" -n "$(($2 / 10 > $1 ? $2 / 10 : $1))" "$url" > "$temporary/warm-up" ||
        fail "ab failed while warming up"
    echo "command          ab -q -k -c $1 -n $2 $url"
    run ab -q -k -c "$1" -n "$2" "$url" > "$temporary/ab" || fail "ab failed"
    cat "$temporary/ab"
    grep -Eq '^Failed requests: +0$' "$temporary/ab" || fail "requests failed"
    ! grep -q '^Non-2xx' "$temporary/ab" || fail "requests were refused"
}
