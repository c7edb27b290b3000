package com.memoryendpoints.gateway.http;

/** What can be wrong with one value of a request: {@code code} in {@code errors}. */
enum Fault {
  REQUIRED("The member is required."),
  UNKNOWN("There is no such member or parameter."),
  REPEATED("The parameter may be given once."),
  WRONG_TYPE("The value is not of the documented JSON type."),
  OUT_OF_RANGE("The value, or its length, is out of the documented range."),
  BAD_FORMAT("The value is not of the documented format."),
  ILL_FORMED_TEXT("The text has U+0000 or an unpaired surrogate."),
  CONTROL_CHARACTER("The text has a control character."),
  NOT_EXACTLY_ONE("Exactly one of the alternatives is required.");

  private final String detail;

  Fault(String detail) {
    this.detail = detail;
  }

  /** One public sentence, without the value. */
  String detail() {
    return detail;
  }
}
