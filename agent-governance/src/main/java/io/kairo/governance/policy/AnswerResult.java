package io.kairo.governance.policy;

/**
 * The result of an answer to a request for approval.
 */
public enum AnswerResult {

	/** The answer decides. */
	ACCEPTED,

	/** There is no such request, or no longer. */
	UNKNOWN,

	/** The digest of the request differs from the shown one. */
	DIGEST_DIFFERS,

	/** The request was answered before. */
	ALREADY_ANSWERED,

	/** The request has expired. */
	EXPIRED

}
