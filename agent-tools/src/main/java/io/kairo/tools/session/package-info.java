/**
 * What sessions remember of files, and the memory and processors that their calls share.
 */
@NullMarked
package io.kairo.tools.session;

import org.jspecify.annotations.NullMarked;
