package org.microhttp.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import org.microhttp.simulation.network.Call;
import org.microhttp.testing.MemoryFile;

/**
 * A file of which a region is the body of one answer. At each offset of the region is the byte that the
 * client is to get; nothing else may be asked for. It moves less than it is asked for, at times nothing, and
 * what its {@link BodyFault} says happens to it.
 */
final class SimulatedFile extends MemoryFile {

    /** What it has behind the region. */
    private static final int MORE = 100;

    private final TrackedBody lent;
    private final SimulatedConnection life;
    private final Content content;
    private final BodyFault mishap;
    private final long position;

    /** Whether what was planned has happened to it; whether somebody else has closed it. */
    private boolean struck, closedElsewhere;

    SimulatedFile(TrackedBody lent) {
        this.lent = lent;
        life = lent.asked.life;
        content = lent.content;
        mishap = content.mishap();
        position = content.position();
    }

    /** What is there of the region, now. */
    private long there() {
        return struck && mishap.is(BodyFault.Kind.SHRINKS) ? mishap.left() : content.length();
    }

    @Override
    public long size() throws IOException {
        begin(Call.SIZE);
        return position + there() + (struck || position > Long.MAX_VALUE / 20 ? 0 : MORE);
    }

    @Override
    public int read(ByteBuffer target, long from) throws IOException {
        long left = ask(Call.READ_FILE, from, target.remaining());
        if (target.remaining() == 0) return 0;
        if (left <= 0) {
            fail();
            return -1;
        }
        int count = life.cut(target.remaining(), Math.min(left, Content.inARow(from - position)));
        life.world.machine.note(Call.READ_FILE, life, count);
        target.put(Content.NOISE, content.at(from - position), count);
        onMoved(from, count);
        life.tell("reads " + count + " of its file from " + (from - position));
        return count;
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        // after a write that failed a pipe says whose failure it was
        boolean tried = target instanceof Pipe.SinkChannel;
        long left = ask(Call.TRANSFER, from, count);
        if (!tried && target != life.channel()) life.broken("a file is sent to another: " + lent);
        if (left <= 0) {
            fail();
            return 0;
        }
        if (tried) return count;
        left = Math.min(left, Content.inARow(from - position));
        int most = life.cut((int) Math.min(Integer.MAX_VALUE, count), left);
        boolean nothing = most < count && life.random.nextInt(8) == 0;
        life.world.machine.note(Call.TRANSFER, life, nothing ? 0 : most);
        life.tell("transfers " + (nothing ? 0 : most) + " of its file from " + (from - position));
        if (nothing) {
            life.promises.onNothing(count);
            return 0;
        }
        ByteBuffer piece = ByteBuffer.wrap(Content.NOISE, content.at(from - position), most);
        long moved = life.transfer(piece.slice(), count);
        onMoved(from, moved);
        return moved;
    }

    private void onMoved(long from, long count) {
        struck |= !mishap.is(BodyFault.Kind.NONE) && from - position + count >= mishap.at();
    }

    /** So much from somewhere is asked for: says how much is there, if not all is. */
    private long ask(Call call, long from, long count) throws IOException {
        boolean inside = from >= position && count <= content.length() - (from - position);
        if (!inside) {
            life.broken(count + " bytes from " + (from - position) + " are asked of " + lent);
            throw new IOException("outside of the region");
        }
        struck |= !mishap.is(BodyFault.Kind.NONE) && from - position + count > mishap.at();
        begin(call);
        return there() - (from - position);
    }

    private void begin(Call call) throws IOException {
        life.world.turns.touch(life);
        if (lent.isOut()) life.broken("uses what it has released: " + lent);
        life.world.machine.pass(life.world.conditions.costs().read());
        try {
            life.world.faults.strikeOrFail(call, life);
        } catch (IOException | Error e) {
            fail();
            throw e;
        }
        if (Thread.currentThread().isInterrupted()) {
            life.brokenIf(!life.world.isEndedAtOnce(), "uses a file with an interrupt flag");
            close();
            fail();
            throw new ClosedByInterruptException();
        }
        boolean fails = struck && mishap.is(BodyFault.Kind.FAILS);
        closedElsewhere |= struck && mishap.is(BodyFault.Kind.IS_CLOSED);
        if (!fails && !closedElsewhere && isOpen()) return;
        fail();
        if (fails) throw new IOException("as planned, in the file");
        throw new ClosedChannelException();
    }

    /** Its answer fails, unless it is only looked at. */
    private void fail() {
        if (!lent.inHand) life.promises.failedBody.onFailure(lent.asked.index, life.world);
    }

    @Override
    protected void implCloseChannel() {
        life.tell("closes its file");
    }
}
