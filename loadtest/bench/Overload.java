import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

/**
 * More claims than the gateway can serve, come what may, while owners on connections of their own
 * renew their leases every third of the ttl. Arguments: port, token, seconds of overload, factor,
 * connections, leases that are renewed.
 *
 * <p>What is sent does not wait for what is answered: so many a second, on whichever connection is
 * free. A claim for which none is free is counted, and not sent.
 */
final class Overload {
  private static final int MEMORIES = 20_000;
  private static final int TTL_SECONDS = 15;
  private static final int WINDOW_MS = 500;

  private final Vertx vertx = Vertx.vertx();
  private final NetClient client =
      vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true).setReconnectAttempts(5));
  private final Deque<Line> free = new ArrayDeque<>();
  private final List<String> memories = new ArrayList<>();
  private final int port;
  private final String token;
  private int next;
  private Tally tally = new Tally();

  /** What came of the claims of one phase. */
  private static final class Tally {
    final Map<Integer, Integer> statuses = new TreeMap<>();
    final List<Long> acceptedMicros = new ArrayList<>();
    int unsent;
    int withoutRetryAfter;

    void take(int status, long micros, String head) {
      statuses.merge(status, 1, Integer::sum);
      if (status < 300) {
        acceptedMicros.add(micros);
      } else if (!head.matches("(?s).*\nretry-after: [1-9][0-9]*\r.*")) {
        withoutRetryAfter++;
      }
    }

    double percentileMs(double share) {
      long[] sorted = acceptedMicros.stream().mapToLong(each -> each).sorted().toArray();
      return sorted.length == 0 ? -1 : sorted[(int) ((sorted.length - 1) * share)] / 1e3;
    }

    String told(double seconds) {
      return ("accepted %.0f/s, p50 %.0f ms, p99 %.0f ms, statuses %s, without Retry-After %d,"
              + " unsent %d")
          .formatted(
              acceptedMicros.size() / seconds,
              percentileMs(0.5),
              percentileMs(0.99),
              statuses,
              withoutRetryAfter,
              unsent);
    }
  }

  /** One connection, with at most one request on it. */
  private final class Line {
    private final NetSocket socket;
    private Buffer read = Buffer.buffer();
    private long sentNanos;
    private BiConsumer<Integer, String> answer;

    Line(NetSocket socket) {
      this.socket = socket;
      socket.handler(this::take);
      socket.closeHandler(closed -> answered(0, ""));
      socket.exceptionHandler(failure -> {});
    }

    void send(String path, String body, BiConsumer<Integer, String> whenAnswered) {
      answer = whenAnswered;
      sentNanos = System.nanoTime();
      socket.write(
          ("POST %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\n"
                  + "Content-Type: application/json\r\nIdempotency-Key: %s\r\n"
                  + "Content-Length: %d\r\n\r\n%s")
              .formatted(path, token, key(), body.length(), body));
    }

    private void take(Buffer part) {
      read.appendBuffer(part);
      String text = read.toString("ISO-8859-1");
      int end = text.indexOf("\r\n\r\n");
      if (end < 0) {
        return;
      }
      int field = text.indexOf("content-length: ");
      int length =
          field < 0 || field > end
              ? 0
              : Integer.parseInt(text.substring(field + 16, text.indexOf('\r', field)));
      if (text.length() >= end + 4 + length) {
        read = Buffer.buffer();
        answered(Integer.parseInt(text.substring(9, 12)), text);
      }
    }

    private void answered(int status, String text) {
      BiConsumer<Integer, String> told = answer;
      answer = null;
      if (told != null) {
        told.accept(status, text);
      }
    }

    long micros() {
      return (System.nanoTime() - sentNanos) / 1_000;
    }
  }

  /** A lease that is renewed for as long as this runs; what is refused is tried again in time. */
  private final class Owner {
    private final int number;
    private final Line line;
    private String token;
    private long expiresNanos;

    Owner(int number, Line line) {
      this.number = number;
      this.line = line;
    }

    void claim() {
      line.send(
          "/v1/leases",
          named("display_name").formatted(",\"ttl_seconds\":" + TTL_SECONDS),
          (status, text) -> {
            if (status >= 300 || status == 0) {
              throw new IllegalStateException("no lease to renew: " + text);
            }
            int at = text.indexOf("\"fencing_token\":") + 16;
            token = text.substring(at, text.indexOf(',', at));
            held();
            int first = ThreadLocalRandom.current().nextInt(1, TTL_SECONDS * 1000 / 3);
            vertx.setTimer(first, due -> renew());
          });
    }

    private void held() {
      expiresNanos = line.sentNanos + TTL_SECONDS * 1_000_000_000L;
    }

    private void renew() {
      line.send(
          "/v1/leases/renew",
          named("canonical_name").formatted(",\"fencing_token\":" + token),
          (status, text) -> {
            renewals.take(status, line.micros(), text);
            if (status == 200) {
              held();
            } else if (System.nanoTime() > expiresNanos || status == 410 || status == 409) {
              lost++;
              return;
            }
            vertx.setTimer(status == 200 ? TTL_SECONDS * 1000 / 3 : 1_000, due -> renew());
          });
    }

    private String named(String name) {
      return "{\"" + name + "\":\"owner" + number + "\",\"memory_instance_id\":\""
          + memories.get(number) + "\",\"owner_client_id\":\"o\"%s}";
    }
  }

  private Tally renewals = new Tally();
  private int lost;

  private Overload(int port, String token) {
    this.port = port;
    this.token = token;
  }

  private static UUID key() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = System.currentTimeMillis() << 16 | 0x7000 | random.nextInt(1 << 12);
    return new UUID(high, random.nextLong() >>> 2 | 1L << 63);
  }

  private void claim(Tally into, Line line, Runnable then) {
    int number = 1_000 + next++ % (MEMORIES - 1_000);
    String body =
        ("{\"display_name\":\"agent%d\",\"memory_instance_id\":\"%s\","
                + "\"owner_client_id\":\"o\",\"ttl_seconds\":1}")
            .formatted(number, memories.get(number));
    line.send(
        "/v1/leases",
        body,
        (status, text) -> {
          into.take(status, line.micros(), text);
          if (status != 0) {
            then.run();
          }
        });
  }

  /** As fast as answers come, on so many connections: what the gateway can do. */
  private Future<Tally> closed(int connections, int seconds) {
    Tally phase = new Tally();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    for (int i = 0; i < connections; i++) {
      again(phase, free.remove(), end);
    }
    return vertx.timer(seconds * 1_000L + 1_000).map(phase);
  }

  private void again(Tally phase, Line line, long end) {
    claim(
        phase,
        line,
        () -> {
          if (System.nanoTime() < end) {
            again(phase, line, end);
          } else {
            free.add(line);
          }
        });
  }

  /** So many a second, whatever is answered. */
  private Future<Tally> open(double rate, double seconds) {
    tally = new Tally();
    Tally phase = tally;
    long begun = System.nanoTime();
    long[] sent = {0};
    long ticking =
        vertx.setPeriodic(
            1,
            tick -> {
              double elapsed = Math.min(seconds, (System.nanoTime() - begun) / 1e9);
              for (; sent[0] < (long) (elapsed * rate); sent[0]++) {
                Line line = free.poll();
                if (line == null) {
                  phase.unsent++;
                } else {
                  claim(phase, line, () -> free.add(line));
                }
              }
            });
    return vertx
        .timer((long) (seconds * 1_000))
        .map(
            over -> {
              vertx.cancelTimer(ticking);
              return phase;
            });
  }

  private Future<?> register() {
    for (int i = 0; i < MEMORIES; i++) {
      memories.add(key().toString());
    }
    Future<?> done = Future.succeededFuture();
    for (int from = 0; from < MEMORIES; from += 1_000) {
      String items =
          String.join(
              ",",
              memories.subList(from, from + 1_000).stream()
                  .map(memory -> "{\"memory_instance_id\":\"" + memory + "\"}")
                  .toList());
      done =
          done.compose(
              before ->
                  Future.future(
                      promise ->
                          free.peek()
                              .send(
                                  "/v1/memories/batch",
                                  "{\"items\":[" + items + "]}",
                                  (status, text) -> promise.complete())));
    }
    return done;
  }

  private Future<?> connect(int connections) {
    Future<?> done = Future.succeededFuture();
    for (int i = 0; i < connections; i += 100) {
      int some = Math.min(100, connections - i);
      done =
          done.compose(
              before -> {
                List<Future<?>> opening = new ArrayList<>();
                for (int k = 0; k < some; k++) {
                  opening.add(
                      client
                          .connect(port, "127.0.0.1")
                          .onSuccess(socket -> free.add(new Line(socket))));
                }
                return Future.all(opening);
              });
    }
    return done;
  }

  /** Half of what it can do again: seconds until half seconds are as they were. */
  private Future<?> recover(double rate, double boundMs, int window, int firstGood) {
    if (window == 40) {
      int from = firstGood < 0 ? window : firstGood;
      System.out.printf("back to baseline after %.1f s%n", from * WINDOW_MS / 1e3);
      return Future.succeededFuture();
    }
    return open(rate, WINDOW_MS / 1e3)
        .compose(
            phase -> {
              boolean good =
                  phase.acceptedMicros.size() >= rate * WINDOW_MS / 1e3 * 0.8
                      && phase.percentileMs(0.99) <= boundMs
                      && phase.unsent == 0
                      && phase.statuses.keySet().stream().allMatch(status -> status / 100 == 2);
              int from = !good ? -1 : firstGood < 0 ? window : firstGood;
              return recover(rate, boundMs, window + 1, from);
            });
  }

  private void run(int seconds, double factor, int connections, int owners) {
    double[] capacity = new double[1];
    double[] baseline = new double[1];
    vertx.runOnContext(
        go ->
            connect(connections + owners)
                .compose(connected -> register())
                .compose(
                    registered -> {
                      for (int i = 0; i < owners; i++) {
                        new Owner(i, free.remove()).claim();
                      }
                      return closed(256, 10);
                    })
                .compose(
                    warm -> closed(256, 10))
                .compose(
                    phase -> {
                      capacity[0] = phase.acceptedMicros.size() / 10.0;
                      System.out.println("capacity, 256 connections: " + phase.told(10));
                      return open(capacity[0] / 2, 10);
                    })
                .compose(
                    phase -> {
                      baseline[0] = phase.percentileMs(0.99);
                      System.out.println("half of it: " + phase.told(10));
                      System.out.println("renewals until then: " + renewals.told(30));
                      renewals = new Tally();
                      return open(capacity[0] * factor, seconds);
                    })
                .compose(
                    phase -> {
                      System.out.println(factor + " times as much: " + phase.told(seconds));
                      System.out.println("renewals meanwhile: " + renewals.told(seconds));
                      return recover(capacity[0] / 2, Math.max(50, 2 * baseline[0]), 0, -1);
                    })
                .onComplete(
                    done -> {
                      System.out.println("leases lost: " + lost);
                      if (done.failed()) {
                        done.cause().printStackTrace();
                      }
                      System.exit(done.failed() ? 1 : 0);
                    }));
  }

  /** See the class. */
  public static void main(String[] arguments) {
    new Overload(Integer.parseInt(arguments[0]), arguments[1])
        .run(
            Integer.parseInt(arguments[2]),
            Double.parseDouble(arguments[3]),
            Integer.parseInt(arguments[4]),
            Integer.parseInt(arguments[5]));
  }
}
