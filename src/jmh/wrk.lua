-- What wrk sends, and what it counts: wrk -s src/jmh/wrk.lua URL -- [OPTION...]
--   close            asks for a new connection each time
--   gzip             takes answers in gzip
--   request FILE     sends what is in the file, as often as it is answered
--   in-order FILE    asks for each target of a list, again and again
--   at-random FILE   asks for them at random; each time that it runs in the same order

local function listed(file, next_one)
    local requests = {}
    for line in io.lines(file) do
        requests[#requests + 1] = wrk.format("GET", line)
    end
    local last = 0
    request = function()
        last = next_one(last, #requests)
        return requests[last]
    end
end

local options = {
    close = function() wrk.headers["Connection"] = "close" end,
    gzip = function() wrk.headers["Accept-Encoding"] = "gzip" end,
    request = function(file)
        local text = io.open(file, "rb"):read("*a")
        wrk.format = function() return text end
    end,
    ["in-order"] = function(file)
        listed(file, function(last, count) return last % count + 1 end)
    end,
    ["at-random"] = function(file)
        math.randomseed(1)
        listed(file, function(last, count) return math.random(count) end)
    end
}

init = function(args)
    for i, word in ipairs(args) do
        if options[word] then options[word](args[i + 1]) end
    end
end

-- exact, where wrk itself rounds; latencies are in microseconds
done = function(summary, latency)
    local e = summary.errors
    print(string.format("counted requests %d bytes %d seconds %.3f errors %d p50_us %d p99_us %d max_us %d",
        summary.requests, summary.bytes, summary.duration / 1e6,
        e.connect + e.read + e.write + e.status + e.timeout,
        latency:percentile(50), latency:percentile(99), latency.max))
end
