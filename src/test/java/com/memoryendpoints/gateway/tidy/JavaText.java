package com.memoryendpoints.gateway.tidy;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Just enough of Java's lexical grammar to tell code from comments and literals. */
final class JavaText {
  private static final Pattern NOT_CODE =
      Pattern.compile(
          "//[^\\n]*" // to the end of the line
              + "|/\\*.*?\\*/" // block and javadoc
              + "|\"\"\".*?\"\"\"" // text block
              + "|\"(?:\\\\.|[^\"\\\\\\n])*+\"" // string
              + "|'(?:\\\\.|[^'\\\\\\n])+'", // character
          Pattern.DOTALL);
  private static final Pattern NOT_LINE_END = Pattern.compile("[^\\n]");

  private JavaText() {}

  /** The same text, as many lines and columns, with blanks for all that is not code. */
  static String blanked(String java) {
    return NOT_CODE.matcher(java).replaceAll(JavaText::blanks);
  }

  private static String blanks(MatchResult notCode) {
    return NOT_LINE_END.matcher(notCode.group()).replaceAll(" ");
  }
}
