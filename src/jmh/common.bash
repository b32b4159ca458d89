# No command: what the scripts in this folder have in common, which source it. Compiles the load programs,
# starts servers, and ends what was started when the script ends, however it ends.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." > /dev/null && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
load=$root/target/jmh/load
compiled=$load/org/microhttp/load/ThroughputServer.class
smoke=${SMOKE-}

# For a compiler, which runs for seconds: to compile most of it once is enough.
javac_flags=(-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC)

# No server runs longer, even if the script is killed with no chance to clean up.
seconds_at_most=${SECONDS_AT_MOST:-600}

# some servers are in folders that only an administrator has in the path
export PATH=$PATH:/usr/sbin:/usr/local/sbin:/sbin
pids=()
temporary=$(mktemp -d)
# servers that are other users read files there
chmod 711 "$temporary"
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

# For a script that takes its settings from the environment alone: with any argument it shows its head, and
# starts nothing.
no_arguments() {
    [[ $# -gt 0 ]] || return 0
    if [[ $1 == --help || $1 == -h ]]; then
        head_of_script
        exit
    fi
    echo "${0##*/}: unknown: $1"$'\n'"$(head_of_script)" >&2
    exit 2
}

# Ends the script because it cannot measure; a smoke run only says so.
without() {
    [[ -z $smoke ]] || { echo "nothing is compared: $*"; exit; }
    fail "$*"
}

# Ends the script if a program, given with its Debian package, is missing.
need() {
    local program
    for program in "$@"; do
        command -v "${program%=*}" > /dev/null ||
            without "${program%=*} is missing; in Debian it is in the package ${program#*=}"
    done
}

# Compiles a program of the examples.
compile_example() {
    local sources=$temporary/sources/org/microhttp module
    mkdir -p "$sources"
    # without their descriptions of modules
    for module in extras httpserver tools; do
        ln -sfn "$root/examples/$module/src/main/java/org/microhttp/$module" "$sources/$module"
    done
    "${java}c" "${javac_flags[@]}" --release 17 -encoding UTF-8 -cp "$load" -d "$temporary/program" \
        -sourcepath "$temporary/sources" "$sources/$1.java"
}

# Compiles the library and the load programs, without Maven and without JMH, in a folder of their own. Strings
# are joined as Maven has them joined, because the start is measured.
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

listens() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

# Sets port to one that is free, below those that the kernel gives to clients.
free_port() {
    port=$((20000 + RANDOM % 12000))
    ! listens "$port" || free_port
}

# Starts a server, and waits until it listens at the port; sets server to its process. Its output goes to a
# file.
start_server() {
    local output=$temporary/output$port i
    setpriv --pdeathsig TERM timeout -k 5 "$seconds_at_most" "$@" > "$output" 2>&1 < /dev/null &
    server=$!
    pids+=("$server")
    for ((i = 0; i < 800; i++)); do
        ! listens "$port" || return 0
        kill -0 "$server" 2> /dev/null || break
        sleep 0.025
    done
    echo "the server does not listen: $* $(tail -n 3 "$output")" >&2
    return 1
}

# Ends a server, whose number another process may then get.
end_process() {
    local left=() one
    kill "$1" 2> /dev/null || true
    wait "$1" 2> /dev/null || true
    for one in "${pids[@]}"; do [[ $one == "$1" ]] || left+=("$one"); done
    pids=("${left[@]}")
}

# Prints what a figure means nothing without.
facts() {
    echo "shape            $*"
    "$root/src/jmh/machine" | sed 's/^# \([a-z]*\): /\1                 /; s/^\(.\{17\}\) */\1/'
    echo "server and client share the processors"
}

# Takes as many descriptors as can be had; sets files to how many these are.
all_descriptors() {
    ulimit -n "$(ulimit -Hn)"
    files=$(ulimit -n)
    [[ $files != unlimited ]] || files=1000000
}

# Prints how many connections a process can have in addition to the files that a JVM or ab needs for itself.
room() {
    local files
    all_descriptors
    echo $((files > 400 ? files - 200 : files / 2))
}
