/** The two byte streams between the host and `runtime.mjs`. */

export type FrameReader = (chunk: Buffer) => void;

/** Reads `letter, length (4 bytes), content` from a stream, whose chunks may split frames anywhere. */
export function readFrames(onFrame: (kind: string, content: Buffer) => void): FrameReader {
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = 5;
  return (chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    // Joined only when a frame is complete: joining at each piece of a large one would be quadratic.
    if (length < needed) return;
    let buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    needed = 5;
    while (buffer.length >= 5) {
      const end = 5 + buffer.readUInt32BE(1);
      if (buffer.length < end) {
        needed = end;
        break;
      }
      onFrame(String.fromCharCode(buffer.readUInt8(0)), buffer.subarray(5, end));
      buffer = buffer.subarray(end);
    }
    chunks = [buffer];
    length = buffer.length;
  };
}

/** One invocation as the runtime takes it: id, deadline (epoch milliseconds) and the event as JSON. */
export function invocationFrame(requestId: string, deadline: number, event: string): Buffer {
  const head = `${requestId}\n${deadline}\n`;
  const headBytes = Buffer.byteLength(head);
  const bytes = headBytes + Buffer.byteLength(event);
  const frame = Buffer.allocUnsafe(4 + bytes);
  frame.writeUInt32BE(bytes, 0);
  frame.write(head, 4);
  frame.write(event, 4 + headBytes);
  return frame;
}

// A log event in CloudWatch holds 1 MB at most; an endless line must not fill the host's memory.
const maximumLineBytes = 1_048_576;

/** Cuts output into lines. `flush` emits the rest without an end of line. */
export function readLines(onLine: (line: string) => void): { write(chunk: Buffer | string): void; flush(): void } {
  let rest = '';
  const decoder = new TextDecoder();
  const cut = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (rest.length > maximumLineBytes) {
      onLine(rest);
      rest = '';
    }
  };
  return {
    write: (chunk) => cut(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    flush: () => {
      if (rest) onLine(rest);
      rest = '';
    },
  };
}
