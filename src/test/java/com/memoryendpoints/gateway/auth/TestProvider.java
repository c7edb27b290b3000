package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.JwtAlgorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An identity provider: its keys, and tokens that it signs, or that somebody forges. */
public final class TestProvider {
  public static final String ISSUER = "https://issuer.example/";
  public static final String AUDIENCE = "leases";

  /** Good for RS256 and PS256. */
  public static final RSAKey RSA = rsa("rsa");

  public static final ECKey EC = ec("ec");

  private TestProvider() {}

  public static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2_048).keyID(id).keyUse(KeyUse.SIGNATURE).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The public halves as a provider publishes them. */
  public static String keySet(JWK... keys) {
    return new JWKSet(List.of(keys)).toString();
  }

  /** Keys in a file. */
  public static Config.Jwt inFile(String keySet, int leewaySeconds) {
    try {
      Path file = Files.createTempFile("jwks", ".json");
      file.toFile().deleteOnExit();
      return terms(Files.writeString(file, keySet), null, null, leewaySeconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keys by https. */
  public static Config.Jwt at(URI url, @Nullable Path authority) {
    return terms(null, url, authority, 0);
  }

  private static Config.Jwt terms(
      @Nullable Path file, @Nullable URI url, @Nullable Path authority, int leewaySeconds) {
    return new Config.Jwt(
        file,
        url,
        authority,
        ISSUER,
        AUDIENCE,
        EnumSet.allOf(JwtAlgorithm.class),
        leewaySeconds,
        "tenant_id",
        "sub",
        "scope",
        "");
  }

  /** What a good token says: for ten minutes from now, for everything but admin. */
  public static Map<String, Object> claims(UUID tenantId) {
    long now = System.currentTimeMillis() / 1_000;
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", ISSUER);
    claims.put("aud", AUDIENCE);
    claims.put("iat", now);
    claims.put("exp", now + 600);
    claims.put("sub", "crawler");
    claims.put("scope", "openid leases memories pools audit");
    claims.put("tenant_id", tenantId.toString());
    return claims;
  }

  /** A good token, by RS256. */
  public static String token(UUID tenantId) {
    return signed(RSA, "RS256", claims(tenantId));
  }

  /** As a provider signs. */
  public static String signed(JWK key, String algorithm, Map<String, Object> claims) {
    String header = "{\"alg\":\"%s\",\"kid\":\"%s\"}".formatted(algorithm, key.getKeyID());
    return signed(key, algorithm, header, json(claims));
  }

  /** By this key, whatever the header says. */
  public static String signed(JWK key, String algorithm, String header, String claims) {
    String content = base64(header) + "." + base64(claims);
    try {
      JWSSigner signer =
          key.getKeyType().equals(KeyType.EC)
              ? new ECDSASigner(key.toECKey())
              : new RSASSASigner(key.toRSAKey());
      return content + "." + signature(signer, algorithm, content);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By a secret, such as a public key, whatever the header says. */
  public static String signed(byte[] secret, String algorithm, String header, String claims) {
    String content = base64(header) + "." + base64(claims);
    try {
      return content + "." + signature(new MACSigner(secret), algorithm, content);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String signature(JWSSigner signer, String algorithm, String content)
      throws JOSEException {
    return signer
        .sign(
            new JWSHeader(JWSAlgorithm.parse(algorithm)),
            content.getBytes(StandardCharsets.US_ASCII))
        .toString();
  }

  public static String json(Map<String, Object> members) {
    return JSONObjectUtils.toJSONString(members);
  }

  public static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
