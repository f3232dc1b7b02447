/**
 * The policy of tool calls: rules that allow or deny a call or ask for approval, and the
 * approvals that are asked for.
 */
@NullMarked
package io.kairo.governance.policy;

import org.jspecify.annotations.NullMarked;
