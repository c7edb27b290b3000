package com.memoryendpoints.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What this gateway is, and what is in it. */
final class About {
  private static final Properties BUILD = build();

  static final Version VERSION = new Version("lease-gateway", BUILD.getProperty("version"));

  /** The version of the Swagger UI in the jar. */
  static final String SWAGGER_UI = BUILD.getProperty("swagger_ui");

  private About() {}

  record Version(String name, String version) {}

  private static Properties build() {
    try (InputStream file = About.class.getResourceAsStream("/version.properties")) {
      Properties properties = new Properties();
      properties.load(file);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
