package com.memoryendpoints.gateway;

import com.fasterxml.uuid.Generators;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;

/**
 * A process of workers, to be killed: each claims identifiers of a pool, tells that it holds them,
 * and works on for ever.
 */
final class Swarm {
  private Swarm() {}

  /** The API, the token, the pool, how many workers. */
  public static void main(String[] arguments) throws InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    for (int worker = 0; worker < Integer.parseInt(arguments[3]); worker++) {
      HttpRequest claim =
          HttpRequest.newBuilder(URI.create(arguments[0] + "/v1/pools/" + arguments[2] + "/claim"))
              .header("Authorization", "Bearer " + arguments[1])
              .header("Content-Type", "application/json")
              .header("Idempotency-Key", Generators.timeBasedEpochGenerator().generate().toString())
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"owner_client_id\":\"worker-%d\",\"count\":3}".formatted(worker)))
              .build();
      var unused =
          http.sendAsync(claim, HttpResponse.BodyHandlers.ofString())
              .thenAccept(answer -> System.out.println("held " + answer.statusCode()));
    }
    new CountDownLatch(1).await();
  }
}
