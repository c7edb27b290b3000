package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Subnet;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may come from one address, before it shows a token. */
@Timeout(60)
class AddressLimitTest {
  private static final int BURST = 3;

  @RegisterExtension static final LiveApi DIRECT = LiveApi.limiting(limits(List.of()));

  @RegisterExtension
  static final LiveApi PROXIED =
      LiveApi.limiting(limits(List.of(Subnet.address("127.0.0.1"), Subnet.address("10.0.0.7"))));

  private RawHttp direct;
  private RawHttp proxied;

  private static Config.RateLimit limits(List<Subnet> proxies) {
    return new Config.RateLimit(
        Config.Rate.UNLIMITED, Config.Rate.UNLIMITED, 1, new Config.Rate(1, BURST), proxies);
  }

  @BeforeEach
  void everyBucketIsFull() throws Exception {
    DIRECT.clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    PROXIED.clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    direct = DIRECT.connect();
    proxied = PROXIED.connect();
  }

  @AfterEach
  void close() throws Exception {
    direct.close();
    proxied.close();
  }

  @Test
  void anAddressIsRefusedBeforeItsTokenIsLookedAtAndWhatItIsToldHolds() throws Exception {
    for (int i = 0; i < BURST; i++) {
      assertThat(ask(direct).code()).isEqualTo("UNAUTHENTICATED");
    }
    Answer refused = ask(direct);
    assertThat(refused.code()).isEqualTo("RATE_LIMITED");
    assertThat(refused.headers())
        .containsEntry("ratelimit-policy", "\"address\";q=3;w=3")
        .containsEntry("ratelimit", "\"address\";r=0;t=3");
    assertThat(direct.send("GET", "/version", List.of(), "").answer().status()).isEqualTo(429);
    DIRECT.clock.addAndGet(
        TimeUnit.MILLISECONDS.toNanos(refused.json().path("retry_after_ms").asLong()));
    assertThat(ask(direct).status()).isEqualTo(401);
  }

  @Test
  void whereNoProxyIsTrustedNobodyIsBelievedToComeFromElsewhere() throws Exception {
    for (int i = 0; i < BURST; i++) {
      assertThat(ask(direct, "192.0.2." + i).status()).isEqualTo(401);
    }
    assertThat(ask(direct, "192.0.2.99").status()).isEqualTo(429);
  }

  /** Each time the second column is another spelling of the first one's address. */
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, '198.51.100.1, 192.0.2.1'",
    "192.0.2.2, '192.0.2.2, 10.0.0.7'",
    "192.0.2.3, '127.0.0.1 ,192.0.2.3 , 10.0.0.7,127.0.0.1'",
    "192.0.2.4, 192.0.2.4:4711",
    "192.0.2.5, ::ffff:192.0.2.5",
    "2001:db8::1, 2001:db8::2",
    "2001:db8:0:1::1, [2001:db8:0:1::1]:4711",
    "127.0.0.1, no address",
    "10.0.0.7, 'no address, 10.0.0.7'",
  })
  void aTrustedProxyTellsWhereARequestCameFrom(String one, String same) throws Exception {
    for (int i = 0; i < BURST; i++) {
      assertThat(ask(proxied, one).status()).isEqualTo(401);
    }
    assertThat(ask(proxied, same).status()).isEqualTo(429);
    assertThat(ask(proxied, one, "203.0.113.1").status()).isEqualTo(401);
  }

  private static Answer ask(RawHttp http, String... forwardedFor) throws Exception {
    List<String> headers = new ArrayList<>();
    for (String each : forwardedFor) {
      headers.add("X-Forwarded-For: " + each);
    }
    return http.send("GET", "/v1/leases", headers, "").answer();
  }
}
