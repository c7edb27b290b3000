package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The API's description, {@code openapi.yaml}, as it is and as JSON. Loading takes a tenth of a
 * second: once, before the event loops have anything to do.
 */
public final class ApiDocument {
  private static final String PATH = "/openapi.yaml";

  private final Content yaml;
  private final Content json;

  private ApiDocument(byte[] text) throws IOException {
    JsonNode document = new YAMLMapper().readTree(text);
    this.yaml = new Content(Buffer.buffer(text), "application/yaml");
    this.json =
        new Content(
            Buffer.buffer(new JsonMapper().writeValueAsBytes(document)), "application/json");
  }

  /** Reads the document from the jar. */
  public static ApiDocument load() {
    try (InputStream file = ApiDocument.class.getResourceAsStream(PATH)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + PATH);
      }
      return new ApiDocument(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Content yaml() {
    return yaml;
  }

  Content json() {
    return json;
  }
}
