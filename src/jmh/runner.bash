# No command: compares servers. A script that sources it lists its servers, says in the function "server"
# how one is started, and calls "measure" for each case. Each round goes through all servers, beginning with
# another one each time, so that whatever else the machine does meets all alike: compare figures of the same
# round.
#
# Options of all comparisons:
#   --rounds N      how often each server is measured in each case
#   --seconds N     how long each time
#   --warmup N      seconds until a JVM may count as warm, default 8, and 1 for each other kind of case; it is
#                   warm when its compiler is idle, or after another minute
#   --servers LIST  names, separated by commas, default all
#   --only REGEX    cases, as they are printed, such as '^keep-alive'; default all
#   --cpus LIST     default those that this process may use: a server has one for each thread, wrk the next,
#                   or all of them if no other is left
#   --result FILE   default: of a whole run the file in src/jmh/results, else one in target/jmh
#   --smoke         a run of seconds, which only shows that it works; so does SMOKE=1
. "$(dirname -- "${BASH_SOURCE[0]}")/common.bash"
seconds_at_most=20000

# What a case has, which scripts set: its columns and their values, what wrk gets, how many threads a server
# has, and whether clients use TLS, which HAProxy then does.
columns=() key=() connections=100 threads=1 target=/ load_options=() tls=
# A request that each server is checked with; what must come back: a status, a body, and header lines in small
# letters. Without a request none is checked.
request= expected_status=200 expected= fields=()
# A program that puts the load and prints what it counts, given the port and the seconds; wrk without it.
generator=()
# Servers whose failure is a result, not an error; they are measured in one round.
guests=

declare -A values=() process=() port_of=() proxy=() proxy_port=() started=() warm=() option=([--rounds]=3
    [--seconds]=1 [--warmup]=8 [--servers]= [--only]= [--cpus]= [--result]=)
jvm=("$java" -XX:+UseSerialGC -Xms256m -Xmx256m -cp "$load:$temporary/program")
status=0 header=

# Sets the options from arguments: take_options RESULT ARGUMENTS
take_options() {
    local name=$1 known=" ${servers[*]} " given= one
    shift
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h)
                head_of_script
                sed -n '/^# Options/,/^[^#]/ { s/^# \{0,1\}//p }' "${BASH_SOURCE[0]}"
                exit
                ;;
            --smoke) smoke=1 && shift ;;
            *)
                [[ -v option[$1] && $# -gt 1 ]] || fail "unknown: $1"
                option[$1]=$2
                [[ $1 == --result ]] || given+=" $1 $2"
                shift 2
                ;;
        esac
    done
    for one in ${option[--servers]//,/ }; do
        [[ $known == *" $one "* ]] || fail "no server is called $one; there are:$known"
    done
    for one in --rounds --seconds --warmup; do
        [[ ${option[$one]} =~ ^[0-9]+$ ]] || fail "not a whole number: ${option[$one]}"
    done
    kept=$root/src/jmh/results/$name
    [[ -z ${option[--servers]}${option[--only]} ]] || kept=$root/target/jmh/$name
    [[ -z ${option[--result]} ]] || kept=${option[--result]}
    rounds=${option[--rounds]} seconds=${option[--seconds]}
    [[ -z $smoke ]] || kept=$temporary/kept rounds=1 seconds=0.2
    [[ -z $smoke ]] || option[--warmup]=0
    result=$temporary/result
    all_descriptors
    usable=${option[--cpus]:-$(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
        while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done | paste -sd ,)}
    {
        "$root/src/jmh/machine" nginx haproxy lighttpd apache2 python3 wrk tar bzip2 brotli
        printf '# command: %s\n# rounds: %s of %s s\n# CPUs that may be used: %s\n' \
            "$(realpath --relative-to="$root" "$0")$given" "$rounds" "$seconds" "$usable"
    } > "$result"
    cat "$result"
}

# Shares the CPUs between a server and the load generator.
share_cpus() {
    local all
    IFS=, read -ra all <<< "$usable"
    cpus=own server_cpus=("${all[@]:0:threads}") client_cpus=("${all[@]:threads:threads}")
    [[ ${#client_cpus[@]} -gt 0 ]] || cpus=shared server_cpus=("${all[@]}") client_cpus=("${all[@]}")
    server_list=$(IFS=, && echo "${server_cpus[*]}") client_list=$(IFS=, && echo "${client_cpus[*]}")
}

# Prints a text with the values in place of the words in capitals.
filled() {
    local text=$1 word
    for word in "${!values[@]}"; do text=${text//"$word"/"${values[$word]}"}; done
    printf '%s\n' "$text"
}

# Starts a program on the server's CPUs, with its configuration from the folder "servers" if there is one.
launch() {
    local name=$1 words=() word
    shift
    free_port
    values[PORT]=$port values[FOLDER]=$(mktemp -d "$temporary/$name.XXX")
    [[ ! -f $root/src/jmh/servers/$name.conf ]] ||
        filled "$(< "$root/src/jmh/servers/$name.conf")" > "${values[FOLDER]}/$name.conf"
    for word in "$@"; do words+=("$(filled "$word")"); done
    start_server taskset -c "$server_list" "${words[@]}"
}

# Has a server run as the case needs it. It goes on from one case to the next if it is started in the same
# way.
ready() {
    local name=$1 words=() wanted
    values=()
    server "$name"
    wanted="$server_list ${words[*]} ${values[*]}"
    if [[ ${started[$name]-} != "$wanted" ]] || ! kill -0 "${process[$name]}" 2> /dev/null; then
        end "$name"
        launch "$name" "${words[@]}" || return
        process[$name]=$server port_of[$name]=$port started[$name]=$wanted
        [[ $(< "$result") == *"# command of $name: "* ]] || shown "$name" "${words[@]}" >> "$result"
    fi
    if [[ -n $tls && -z ${proxy[$name]-} ]]; then
        values=([BEHIND]=${port_of[$name]} [CERTIFICATE]=$temporary/certificate.pem)
        launch tls haproxy -db -q -f FOLDER/tls.conf || return
        proxy[$name]=$server proxy_port[$name]=$port
    fi
}

# Prints how a server is started, without the places on this machine.
shown() {
    printf '# command of %s: %s\n' "$1" "${*:2}" |
        sed -E "s|-cp [^ ]+|-cp CLASSES|; s|$temporary|TEMPORARY|g; s|$java|java|g"
}

# Ends a server and its proxy.
end() {
    local one
    for one in ${process[$1]-} ${proxy[$1]-}; do end_process "$one"; done
    unset "process[$1]" "proxy[$1]" "started[$1]"
}

# Sends the request, and compares the answer with what is expected.
answers() {
    local line first i missing=("${fields[@]}")
    [[ -n $request ]] || return 0
    exec 3<> "/dev/tcp/127.0.0.1/$1"
    cat -- "$request" >&3
    IFS= read -r -t 10 -u 3 first || return
    [[ $first == HTTP/1.?\ $expected_status* ]] || { echo "answered: $first" && return 1; }
    while IFS= read -r -t 10 -u 3 line && [[ $line != $'\r' ]]; do
        line=${line,,} line=${line%$'\r'}
        for i in "${!missing[@]}"; do [[ $line != "${missing[i]}" ]] || unset "missing[i]"; done
    done
    [[ ${#missing[@]} == 0 ]] || { echo "answered without ${missing[*]}" && return 1; }
    timeout 20 head -c "$(stat -Lc %s "$expected")" <&3 | cmp -- - "$expected" || return
    exec 3>&-
}

# Prints the files with the CPU times of processes and what they started.
times() {
    local one
    for one in "$@"; do
        echo "/proc/$one/stat"
        # shellcheck disable=SC2046
        times $(cat "/proc/$one/task"/*/children)
    done
}

# Prints CPU time in hundredths of a second, which is how the kernel counts it: of a server in user mode and
# in the kernel, of its proxy, of what this script has started and has ended, and of all on the machine.
clock() {
    # shellcheck disable=SC2046
    awk 'kind == "" { if (FNR == 1) all = $2 + $3 + $4 + $7 + $8; next }
        { sub(/.*\) /, "") }
        kind == "own" { ended = $14 + $15 }
        kind == "server" { user += $12; kernel += $13 }
        kind == "proxy" { between += $12 + $13 }
        END { print user + 0, kernel + 0, between + 0, ended, all }' /proc/stat kind=own /proc/$$/stat \
        kind=server $(times "${process[$1]}") kind=proxy $(times ${proxy[$1]-})
}

# Prints the CPU time of the compilers of a JVM, in hundredths of a second.
compiling() {
    local one
    for one in $(times "${process[$1]}"); do cat "${one%stat}task"/*/stat 2> /dev/null || true; done |
        awk '/\(C[12] Compiler/ { sub(/.*\) /, ""); sum += $12 + $13 } END { print sum + 0 }'
}

# Puts load on a server for so many seconds, and sets counted to what wrk, or the generator, has counted.
put_load() {
    local name=$1 clients=${#client_cpus[@]} limits=("$2") limit interrupted url command
    if [[ ${#generator[@]} -gt 0 ]]; then
        counted=$(taskset -c "$client_list" "${generator[@]}" "${port_of[$name]}" "$2" | grep '^counted')
        return
    fi
    url=http://127.0.0.1:${port_of[$name]}
    [[ -z $tls ]] || url=https://127.0.0.1:${proxy_port[$name]}
    [[ $cpus == own ]] || clients=1
    ((clients <= $3)) || clients=$3
    command=(-s "$root/src/jmh/wrk.lua" --timeout 60s "$url$target" -- "${load_options[@]}")
    # a short run is interrupted, and wrk reports what it has; if a server is cold it needs longer
    [[ $2 != 0.* ]] || limits+=(1 10)
    for limit in "${limits[@]}"; do
        interrupted=0
        [[ $limit != 0.* ]] || interrupted=$limit
        counted=$(timeout -s INT "$interrupted" taskset -c "$client_list" wrk "-t$clients" "-c$3" \
            "-d${limit/0.*/1}s" "${command[@]}" | grep '^counted') || continue
        [[ $counted != *" bytes "[1-9]* ]] || return 0
    done
    return 1
}

# Prints how much memory a server occupies, in KiB.
resident() {
    # shellcheck disable=SC2046
    awk '/^VmRSS:/ { sum += $2 } END { print sum + 0 }' /dev/null $(times "${process[$1]}" | sed '1d; s/$/us/')
}

# The compiler of a JVM shares the server's CPU, so it must be idle before a figure counts.
warm_up() {
    local name=$1 kind="$1 ${process[$1]} $target $tls ${load_options[*]}" least=1 most=1 second before
    [[ ${option[--warmup]} -gt 0 && -z ${warm[$kind]-} ]] || return 0
    if [[ ${started[$name]} == *"$java"* ]]; then
        [[ -n ${warm[${process[$name]}]-} ]] || least=${option[--warmup]}
        most=$((least + 60))
    fi
    for ((second = 1; second <= most; second++)); do
        before=$(compiling "$name")
        put_load "$name" 1 $((connections < 100 ? connections : 100)) || return
        ((second < least || $(compiling "$name") - before >= 3)) || break
    done
    warm[$kind]=1 warm[${process[$name]}]=1
}

# Closing many connections must not count for the next server.
settle() {
    local before= i
    for ((i = 0; i < 50; i++)); do
        [[ $(clock "$1" | cut -d ' ' -f 1-3) != "$before" ]] || return 0
        before=$(clock "$1" | cut -d ' ' -f 1-3)
        sleep 0.1
    done
}

hundredths() { printf '%d.%02d' $(($1 / 100)) $(($1 % 100)); }

# Sets names and figures to those that were counted.
split_counted() {
    local word
    names=() figures=()
    for word in ${counted#counted }; do
        if [[ ${#names[@]} == "${#figures[@]}" ]]; then names+=("$word"); else figures+=("$word"); fi
    done
}

# Measures a server once; sets row, and others to the CPU time that other programs took.
once() {
    local name=$1 before after spent=() i names figures
    read -ra before <<< "$(clock "$name")"
    put_load "$name" "$seconds" "$reached" || return
    read -ra after <<< "$(clock "$name")"
    for i in 0 1 2 3 4; do spent+=($((after[i] - before[i]))); done
    others=$((spent[4] - spent[0] - spent[1] - spent[2] - spent[3]))
    ((others > 0)) || others=0
    split_counted
    heads="${columns[*]} reached cpus round server ${names[*]} user_s system_s proxy_s generator_s others_s resident_kib"
    row=("${key[@]}" "$reached" "$cpus" "$2" "$name" "${figures[@]}" "$(hundredths "${spent[0]}")"
        "$(hundredths "${spent[1]}")" "$(hundredths "${spent[2]}")" "$(hundredths "${spent[3]}")"
        "$(hundredths "$others")" "$(resident "$name")")
    ((reached <= 1000)) || settle "$name"
}

# Adds a line to the result, after the names of its columns if they are others than before: add_row NAMES
# FIGURE...
add_row() {
    local IFS=$'\t'
    [[ $1 == "$header" ]] || printf '%s\n' "${1// /$IFS}" >> "$result"
    header=$1
    shift
    printf '%s\n' "$*" >> "$result"
}

# Prints a request as a browser sends it, with 14 header fields.
browser_request() {
    sed 's/$/\r/' << REQUEST
GET $1 HTTP/1.1
Host: localhost
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8
Accept-Language: en-GB,en;q=0.9,de;q=0.8
Accept-Encoding: gzip, deflate, br, zstd
Referer: https://www.example.com/
Cookie: session=9f86d081884c7d659a2feaa0c55ad015; theme=dark; consent=1
Connection: keep-alive
Cache-Control: max-age=0
Upgrade-Insecure-Requests: 1
Sec-Fetch-Dest: document
Sec-Fetch-Mode: navigate
Sec-Fetch-Site: same-origin
DNT: 1

REQUEST
}

# Measures a server in a round: up to twice more if others have disturbed it, which favours no server.
one_round() {
    local again kept_row=() least
    once "$1" "$2" || return
    least=$others kept_row=("${row[@]}")
    for ((again = 0; again < 2 && ${seconds%.*} > 0 && least > 25 * seconds && reached < 5000; again++)); do
        once "$1" "$2" || return
        ((others >= least)) || least=$others kept_row=("${row[@]}")
    done
    add_row "$heads" "${kept_row[@]}"
    awk -v name="$1" -v round="$2/$rounds" -v heads="$heads" -v row="$(tail -n 1 "$result")" 'BEGIN {
        split(row, value, "\t")
        for (i = split(heads, head, " "); i > 0; i--) of[head[i]] = value[i]
        cpu = of["user_s"] + of["system_s"]
        printf "%5s  %-24s %9.2f us of CPU, %9.0f requests/s, %7.1f MB/s%s\n", round, name,
            (of["requests"] > 0 ? cpu / of["requests"] * 1e6 : 0), of["requests"] / of["seconds"],
            of["bytes"] / of["seconds"] / 1e6, (of["errors"] > 0 ? ", errors: " of["errors"] : "")
        exit (of["errors"] > 0) }'
}

problem() {
    echo "FAILED: $*" | tee -a "$temporary/problems"
    [[ " $guests " == *" $1, "* || " $guests " == *" ${1%,} "* ]] || status=1
}

# Whether the case is to be measured.
is_wanted() { [[ "${key[*]}" =~ ${option[--only]} ]]; }

# Measures the servers that take part in a case.
measure() {
    local name running=() round
    is_wanted || return 0
    share_cpus
    reached=$(room)
    [[ -z $tls ]] || reached=$((reached / 2 - 100))
    ((connections > reached)) || reached=$connections
    printf '\n%s\n' "${key[*]}"
    for name in "$@"; do
        [[ -z ${option[--servers]} || ",${option[--servers]}," == *",$name,"* ]] || continue
        is_installed "$name" || continue
        if ready "$name" && answers "${port_of[$name]}" && warm_up "$name"; then
            running+=("$name")
        else
            problem "$name, ${key[*]}: it does not run or answer"
        fi
    done
    for ((round = 1; round <= rounds; round++)); do
        for name in "${running[@]}"; do
            [[ $round -eq 1 || " $guests " != *" $name "* ]] || continue
            one_round "$name" "$round" || problem "$name, ${key[*]}: errors in round $round"
        done
        [[ ${#running[@]} -eq 0 ]] || running=("${running[@]:1}" "${running[0]}")
    done
}

# Whether a server is no program of its own, or one that is installed.
is_installed() {
    [[ " nginx haproxy lighttpd apache2 python3 " != *" $1 "* ]] || command -v "$1" > /dev/null
}

# Keeps what was measured, and ends the script: with 1 if something failed.
finish() {
    [[ ! -f $temporary/problems ]] || sed 's/^FAILED/# failed/' "$temporary/problems" >> "$result"
    mkdir -p "$root/target/jmh"
    cp -- "$result" "$kept"
    [[ -n $smoke ]] || printf '\nthe figures of every round are in %s\n' "$kept"
    exit "$status"
}
