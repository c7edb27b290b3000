import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.UUID;

/**
 * Whether time tells another tenant's object from one that is not there: a memory of another tenant
 * and an unknown one are asked for in turns, on one connection, and both medians are printed.
 * Arguments: the API, a token, the token of another tenant, how often.
 */
public final class WallTiming {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private WallTiming() {}

  public static void main(String[] args) throws Exception {
    String memories = args[0] + "/v1/memories";
    String made =
        CLIENT
            .send(
                to(memories, args[2])
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build(),
                BodyHandlers.ofString())
            .body();
    String foreign = made.replaceAll("(?s).*\"memory_instance_id\":\"([^\"]+)\".*", "$1");
    // Beside the foreign one: of the same moment, and as near in every index.
    UUID id = UUID.fromString(foreign);
    String unknown =
        new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1).toString();
    int rounds = Integer.parseInt(args[3]);
    long[][] nanos = new long[2][rounds];
    for (int i = -rounds / 2; i < rounds; i++) {
      for (int which = 0; which < 2; which++) {
        long begun = System.nanoTime();
        int status =
            CLIENT
                .send(
                    to(memories + "/" + (which == 0 ? foreign : unknown), args[1]).build(),
                    BodyHandlers.ofString())
                .statusCode();
        if (status != 404) {
          throw new IllegalStateException("answered " + status);
        }
        if (i >= 0) {
          nanos[which][i] = System.nanoTime() - begun;
        }
      }
    }
    for (int which = 0; which < 2; which++) {
      Arrays.sort(nanos[which]);
      System.out.printf(
          "%-8s p25 %.0f us, p50 %.0f us, p75 %.0f us%n",
          which == 0 ? "foreign" : "unknown",
          nanos[which][rounds / 4] / 1e3,
          nanos[which][rounds / 2] / 1e3,
          nanos[which][rounds * 3 / 4] / 1e3);
    }
  }

  private static HttpRequest.Builder to(String uri, String token) {
    return HttpRequest.newBuilder(URI.create(uri)).header("Authorization", "Bearer " + token);
  }
}
