package io.kairo.linux;

import java.nio.ByteBuffer;

/**
 * Calls the kernel and the C library. An argument is a number or a direct buffer. A
 * buffer stands for its address and is kept alive during the call. Safe for use by
 * several threads.
 */
interface SystemCalls {

	/**
	 * Makes a system call.
	 * @param call the call
	 * @param arguments at most six arguments
	 * @return the result, or the negative error number
	 */
	long call(SystemCall call, Object... arguments);

	/**
	 * Makes a system call without allocating memory.
	 * @param call the call
	 * @param first the first argument; likewise the others, although the call may have
	 * fewer
	 * @return the result, or the negative error number
	 */
	long call(SystemCall call, long first, long second, long third, long fourth, long fifth);

	/**
	 * Prepares calls of a function, so that the first one finds everything loaded.
	 * @throws UnsupportedOperationException if the C library does not have the function
	 */
	void link(String function);

	/**
	 * Calls a function of the C library that takes integers and pointers.
	 * @param name the name of the function
	 * @param arguments at most six arguments
	 * @return the result
	 * @throws UnsupportedOperationException if the C library does not have the function
	 */
	int function(String name, Object... arguments);

	/**
	 * Returns the address of a direct buffer.
	 */
	long address(ByteBuffer buffer);

}
