import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.*;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.*;

// Netty's codec and aggregator, answering on the loop's thread. It has no router and no access log.
void main() throws InterruptedException {
    var loops = new MultiThreadIoEventLoopGroup(Integer.getInteger("loops"), NioIoHandler.newFactory());
    new ServerBootstrap().group(loops).channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 1024).childHandler(new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20))
                            .addLast(new Answering());
                }
            }).bind("127.0.0.1", Integer.getInteger("port")).sync();
}

static final class Answering extends SimpleChannelInboundHandler<FullHttpRequest> {

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        var target = new QueryStringDecoder(request.uri());
        FullHttpResponse response;
        if (target.path().equals("/")) {
            response = response(200, "text/plain", Orders.HELLO);
        } else {
            boolean adds = request.method().equals(HttpMethod.POST);
            String user = adds ? "42" : Orders.user(target.path());
            String json = adds ? Orders.add(request.content().toString(StandardCharsets.UTF_8))
                    : Orders.list(user, target.parameters().get("limit").get(0));
            response = response(adds ? 201 : 200, Orders.JSON, json);
            response.headers().set(HttpHeaderNames.CACHE_CONTROL, Orders.CACHE)
                    .set(HttpHeaderNames.ETAG, Orders.tag(user));
        }
        ChannelFuture written = context.write(response);
        if (!HttpUtil.isKeepAlive(request)) written.addListener(ChannelFutureListener.CLOSE);
    }

    private static FullHttpResponse response(int status, String type, String text) {
        var body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        return response;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) { context.flush(); }
}
