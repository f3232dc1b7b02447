package io.kairo.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The system calls of Java 22 and newer. All arguments are passed as 64-bit integers, as
 * the calling conventions of both processors pass integers and pointers.
 */
@SuppressWarnings("restricted")
final class ForeignCalls implements SystemCalls {

	private static final int MOST_ARGUMENTS = 6;

	private static final StructLayout STATE = Linker.Option.captureStateLayout();

	private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

	private static final Linker LINKER = Linker.nativeLinker();

	/** A constant, since the compiler makes direct calls of constants only. */
	private static final MethodHandle SYSTEM_CALL = systemCall(ValueLayout.JAVA_LONG);

	/** Number of threads that find memory for the error without allocating it. */
	private static final int STRIPES = 64;

	private final AtomicReferenceArray<MemorySegment> states = new AtomicReferenceArray<>(STRIPES);

	private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

	private final Processor processor;

	ForeignCalls(Processor processor) {
		this.processor = processor;
	}

	private static MethodHandle systemCall(ValueLayout.OfLong word) {
		return LINKER.downcallHandle(
				LINKER.defaultLookup().find("syscall").orElseThrow(UnsupportedOperationException::new),
				FunctionDescriptor.of(word, word, word, word, word, word, word, word),
				Linker.Option.firstVariadicArg(1), Linker.Option.captureCallState("errno"));
	}

	@Override
	public long call(SystemCall call, Object... arguments) {
		try {
			long[] words = words(arguments);
			return call(call, words[0], words[1], words[2], words[3], words[4], words[5]);
		}
		finally {
			Reference.reachabilityFence(arguments);
		}
	}

	@Override
	public long call(SystemCall call, long first, long second, long third, long fourth, long fifth) {
		return call(call, first, second, third, fourth, fifth, 0);
	}

	private long call(SystemCall call, long first, long second, long third, long fourth, long fifth, long sixth) {
		int stripe = (int) Thread.currentThread().threadId() & STRIPES - 1;
		MemorySegment idle = this.states.getAndSet(stripe, null);
		MemorySegment state = (idle != null) ? idle : Arena.ofAuto().allocate(STATE);
		try {
			long result = (long) SYSTEM_CALL.invokeExact(state, (long) call.number(this.processor), first, second,
					third, fourth, fifth, sixth);
			return (result == -1) ? -(int) ERRNO.get(state, 0L) : result;
		}
		catch (Throwable ex) {
			throw unexpected(ex);
		}
		finally {
			this.states.lazySet(stripe, state);
		}
	}

	@Override
	public int function(String name, Object... arguments) {
		MethodHandle function = handle(name);
		try {
			long[] words = words(arguments);
			return (int) function.invokeExact(words[0], words[1], words[2], words[3], words[4], words[5]);
		}
		catch (Throwable ex) {
			throw unexpected(ex);
		}
		finally {
			Reference.reachabilityFence(arguments);
		}
	}

	@Override
	public long address(ByteBuffer buffer) {
		return MemorySegment.ofBuffer(buffer).address();
	}

	@Override
	public void link(String function) {
		handle(function);
	}

	private MethodHandle handle(String name) {
		return this.functions.computeIfAbsent(name, this::find);
	}

	private MethodHandle find(String name) {
		ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
		return LINKER.downcallHandle(
				LINKER.defaultLookup()
					.find(name)
					.orElseThrow(() -> new UnsupportedOperationException("the C library has no function " + name)),
				FunctionDescriptor.of(ValueLayout.JAVA_INT, word, word, word, word, word, word));
	}

	private long[] words(Object[] arguments) {
		long[] words = new long[MOST_ARGUMENTS];
		for (int i = 0; i < arguments.length; i++) {
			words[i] = (arguments[i] instanceof Number number) ? number.longValue()
					: address((ByteBuffer) arguments[i]);
		}
		return words;
	}

	private static RuntimeException unexpected(Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		return (failure instanceof RuntimeException exception) ? exception : new IllegalStateException(failure);
	}

}
