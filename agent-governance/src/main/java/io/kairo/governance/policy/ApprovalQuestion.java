package io.kairo.governance.policy;

/**
 * A question about a call. Immutable.
 *
 * @param tool the name of the tool
 * @param rule the name of the rule that asks
 * @param reason the reason of the rule
 * @param shown the text to decide on
 * @param digest the digest of the shown content
 */
record ApprovalQuestion(String tool, String rule, String reason, String shown, String digest) {

}
