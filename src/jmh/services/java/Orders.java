/**
 * What all programs share, so that servers are measured and no JSON library: texts are made and read by the
 * same code here, anew for each request. The properties port, loops and log are the settings of a program.
 */
final class Orders {

    static final String HELLO = "hello world\n", JSON = "application/json", CACHE = "private, max-age=60";
    private static final String[] ITEMS = {"teapot", "kettle", "saucer", "spoons", "strainer"};

    /** The answer to GET /users/{id}/orders?limit=5: some 300 bytes. */
    static String list(String user, String limit) {
        long id = Long.parseLong(user);
        StringBuilder json = new StringBuilder(400).append("{\"user\":").append(id).append(",\"orders\":[");
        for (int i = 0, most = Integer.parseInt(limit); i < most; i++) {
            json.append(i == 0 ? "" : ",").append("{\"id\":").append(id * 100 + i).append(",\"item\":\"")
                    .append(ITEMS[i % ITEMS.length]).append("\",\"cents\":").append(1250 + 99 * i)
                    .append(",\"paid\":").append(i % 2 == 0).append('}');
        }
        return json.append("]}").toString();
    }

    /** The answer to POST /orders with {"user":42,"item":"teapot","count":3}. */
    static String add(String json) {
        int count = Integer.parseInt(member(json, "count"));
        return "{\"user\":" + member(json, "user") + ",\"item\":" + member(json, "item") + ",\"cents\":"
                + 1250 * count + "}";
    }

    /** Stands for a hash, which is no server's work. */
    static String tag(String user) { return "\"" + user + "-1\""; }

    /** For servers without a router: the second segment of /users/42/orders. */
    static String user(String path) { return path.substring(7, path.indexOf('/', 7)); }

    private static String member(String json, String name) {
        int start = json.indexOf("\"" + name + "\":") + name.length() + 3, end = start;
        while (json.charAt(end) != ',' && json.charAt(end) != '}') end++;
        return json.substring(start, end);
    }
}
