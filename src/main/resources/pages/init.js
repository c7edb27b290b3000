"use strict";

// A UUIDv7 of now: the key in the examples is too old to be taken.
function freshKey() {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return [
    time.slice(0, 8),
    time.slice(8),
    "7" + random.slice(0, 3),
    "a" + random.slice(3, 6),
    random.slice(6),
  ].join("-");
}

async function description() {
  const text = await (await fetch("/openapi.json")).text();
  const old = JSON.parse(text).components.parameters.IdempotencyKeyRequired.example;
  return JSON.parse(text.replaceAll(old, freshKey()));
}

description().then(
  (spec) =>
    SwaggerUIBundle({
      spec,
      dom_id: "#swagger-ui",
      deepLinking: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      validatorUrl: null,
    }),
  () => {
    document.getElementById("swagger-ui").textContent = "The description cannot be read.";
  },
);
