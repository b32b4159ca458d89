package org.microhttp.checks.faults.chaos;

import org.microhttp.testing.RawResponse;

/** Judges what a client got for a request, of those that one server may give. */
final class ChaosVerdict {

    private final ChaosLimits limits;
    private final ChaosHands hands;
    private final ChaosApi api;

    ChaosVerdict(ChaosLimits limits, ChaosHands hands, ChaosApi api) {
        this.limits = limits;
        this.hands = hands;
        this.api = api;
    }

    /** What is wrong with a response, or null; in itself, whether it closes or not. */
    String judge(ChaosRequest request, RawResponse response) {
        boolean own = response.status() != 200;
        if (!ChaosApi.hasItsField(response, request.target(), own, request.isHead())) {
            return "not the field of the hook";
        }
        return switch (response.status()) {
            case 200 -> judgeAnswer(request, response);
            case 500 -> judgeFailure(request, response);
            case 503 -> response.closes() && response.header("Retry-After") == null
                    ? judgeRefusal(request, response) : judgeOverload(request, response);
            default -> "not a possible status";
        };
    }

    private String judgeAnswer(ChaosRequest request, RawResponse response) {
        if (request.answer().outcome != ChaosAnswer.Outcome.ANSWER) {
            return "there was no answer";
        }
        if (request.endsWithAnswer() && !response.closes()) {
            return "does not say that it is the last";
        }
        if (api.isAbandoned(request.id())) {
            return "the handler was told that nobody waits";
        }
        return request.isAnsweredBy(response) ? null : "not the answer to this";
    }

    private String judgeFailure(ChaosRequest request, RawResponse response) {
        boolean right = request.isHead() || response.code().equals("handler_error");
        if (!right || request.answer().outcome != ChaosAnswer.Outcome.FAILURE) {
            return "there was no failure";
        }
        return response.closes() || !request.isLast() ? null : "does not say that it is the last";
    }

    private String judgeOverload(ChaosRequest request, RawResponse response) {
        boolean right = request.isHead() || response.code().equals("overload");
        if (!right || !"1".equals(response.header("Retry-After"))) {
            return "not an overload";
        }
        if (hands.hasSeen(request.id())) {
            return "the handler has got it";
        }
        return response.closes() || !request.isLast() ? null : "does not say that it is the last";
    }

    private String judgeRefusal(ChaosRequest request, RawResponse response) {
        String code = response.code();
        if (isLate(request) && (request.isHead() || code.equals("handler_timeout"))) {
            return null;
        }
        boolean full = limits.tight && (request.isHead() || code.equals("out_of_buffers"));
        return full ? null : "no reason to refuse it";
    }

    /** Whether a response may say that it is the last; one does that came when the server gave up, too. */
    boolean mayClose(ChaosRequest request, RawResponse response) {
        boolean refused = response.status() == 503 && response.header("Retry-After") == null;
        boolean asked = response.status() == 200 && request.answer() == ChaosAnswer.CLOSE;
        return refused || asked || request.isLast() || isLate(request);
    }

    private boolean isLate(ChaosRequest request) {
        return hands.hasSeen(request.id()) && hands.isLate(request.id());
    }
}
