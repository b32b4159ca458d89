# Makes a site of text, the same on every machine: awk -f site.awk -v root=FOLDER -v seed=N -v share=PART
# KINDS. A line of KINDS has a suffix, a number of files, of which a part is made, the size that half of them
# do not exceed, and how far sizes scatter. Prints the path of each file, in a random order. Files of images
# and fonts get no text, which would compress.

function random() {
    seed = seed * 16807 % 2147483647
    return seed / 2147483647
}

function gaussian() { return sqrt(-2 * log(random())) * cos(6.2831853 * random()) }

# some of a few hundred words are frequent, so that it compresses as text does
function word(number) {
    number = gaussian() * 300
    return "w" int(number < 0 ? -number : number) * 7919 % 99991
}

function text(size, line, words, i) {
    while (size > 0) {
        line = ""
        words = 3 + int(random() * 9)
        for (i = 0; i < words; i++) line = line " " word()
        line = substr(tags[int(random() * 4)] line ".</div>", 1, size - 1)
        print line > path
        size -= length(line) + 1
    }
}

BEGIN {
    tags[0] = "<div class=\"col-last\">"
    tags[1] = "<div><p>"
    tags[2] = "<div><a href=\"../index.html\" class=\"member-name-link\">"
    tags[3] = "<div class=\"notes\"><code>"
}

{
    for (i = 0; i < int($2 * share); i++) {
        size = int($3 * exp($4 * gaussian()))
        if (size < 64) size = 64
        if (size > 1048576) size = 1048576
        name = (i % 50 == 0 && $1 == "html" ? "index" : $1 i) "." $1
        folder = "/" $1 int(i / 50)
        path = root folder "/" name
        if (i % 50 == 0) system("mkdir -p '" root folder "'")
        if ($1 ~ /png|jpg|webp|woff2/) {
            system("head -c " size " /dev/urandom > '" path "'")
        } else {
            text(size)
            close(path)
        }
        paths[count++] = folder "/" name
    }
}

END {
    for (i = count - 1; i >= 0; i--) {
        j = int(random() * (i + 1))
        print paths[j]
        paths[j] = paths[i]
    }
}
