import { S3Failure } from './failures.ts';

/**
 * `aws-chunked`: the SDK's format for a stream, with the checksum after it.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 * The chunks' signatures are not verified.
 */
export function dechunked(encoded: Buffer): { body: Buffer; trailers: Record<string, string> } {
  const chunks: Buffer[] = [];
  let at = 0;
  const line = () => {
    const end = encoded.indexOf('\r\n', at);
    if (end < 0) throw incomplete();
    const text = encoded.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  for (;;) {
    const size = Number.parseInt(line(), 16);
    if (!(size >= 0) || at + size > encoded.length) throw incomplete();
    if (size === 0) break;
    chunks.push(encoded.subarray(at, at + size));
    at += size;
    if (line() !== '') throw incomplete();
  }
  const trailers: Record<string, string> = {};
  while (at < encoded.length) {
    const text = line();
    if (text === '') break;
    const colon = text.indexOf(':');
    if (colon < 0) throw incomplete();
    trailers[text.slice(0, colon).trim().toLowerCase()] = text.slice(colon + 1).trim();
  }
  return { body: Buffer.concat(chunks), trailers };
}

function incomplete(): S3Failure {
  return new S3Failure(400, 'IncompleteBody', 'The request body terminated unexpectedly');
}
