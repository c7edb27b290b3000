package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a collector gets of a gateway's requests. */
class RequestLogTest {
  private static final Pattern LISTENS = Pattern.compile("listens on 127\\.0\\.0\\.1:(\\d+)");

  @TempDir private Path scratch;

  @Test
  void aRequestIsALineOfJson() throws Exception {
    Map<String, String> variables =
        Map.of(
            "GATEWAY_DATABASE_URI", "postgresql://u@127.0.0.1:1/d",
            "GATEWAY_AUDIT_KEY", "A".repeat(43) + "=",
            "GATEWAY_LOG_SAMPLED_ONE_IN", "2");
    try (GatewayProcess gateway = GatewayProcess.start(scratch, variables)) {
      Matcher listens = LISTENS.matcher(gateway.awaitOut("The API listens on").out());
      assertThat(listens.find()).isTrue();
      for (String path : List.of("/version", "/version", "/version", "/v1/leases/x")) {
        get(listens.group(1), path);
      }
      gateway.awaitOut("UNAUTHENTICATED");
      List<JsonNode> lines = new ArrayList<>();
      for (String line : gateway.out().lines().filter(it -> it.contains("RequestLog")).toList()) {
        lines.add(new JsonMapper().readTree(line));
      }
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0).path("route").asText()).isEqualTo("GET /version");
      assertThat(lines.get(0).path("status").intValue()).isEqualTo(200);
      assertThat(lines.get(0).path("duration_ms").isNumber()).isTrue();
      assertThat(lines.get(0).path("one_in").intValue()).isEqualTo(2);
      assertThat(lines.get(1).path("route").asText()).isEqualTo("GET /v1/leases/:lease_id");
      assertThat(lines.get(1).path("code").asText()).isEqualTo("UNAUTHENTICATED");
      assertThat(lines.get(1).has("one_in")).isFalse();
    }
  }

  private static void get(String port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
  }
}
