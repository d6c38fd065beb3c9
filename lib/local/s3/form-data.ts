import { S3Failure } from './failures.ts';

/**
 * `multipart/form-data` as S3 takes it, strictly: https://www.rfc-editor.org/rfc/rfc7578 and
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html: fields, then one file; everything after the file
 * is ignored.
 */
export type FormData = {
  /** Names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Buffer;
  /** Empty if the form does not name the file. */
  readonly fileName: string;
};

/** The limit of a form without its file. */
const MAX_FIELD_BYTES = 20 * 1024;

/** @throws S3Failure MalformedPOSTRequest, InvalidArgument, MaxPostPreDataLengthExceeded */
export function readFormData(contentType: string, body: Buffer): FormData {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (!/^multipart\/form-data\s*;/i.test(contentType) || name === undefined) {
    throw new S3Failure(412, 'PreconditionFailed', 'Bucket POST must be of the enclosure-type multipart/form-data');
  }
  const fields: Record<string, string> = {};
  let fieldBytes = 0;
  for (const part of partsOf(body, name)) {
    if (part.name === 'file') return { fields, file: part.content, fileName: part.fileName };
    fieldBytes += part.content.length;
    if (fieldBytes > MAX_FIELD_BYTES) {
      const message = 'Your POST request fields preceding the upload file were too large.';
      throw new S3Failure(400, 'MaxPostPreDataLengthExceeded', message);
    }
    if (Object.hasOwn(fields, part.name)) {
      throw new S3Failure(400, 'InvalidArgument', `POST has the field ${part.name} twice`, { ArgumentName: part.name });
    }
    fields[part.name] = part.content.toString('utf8');
  }
  throw new S3Failure(400, 'InvalidArgument', 'POST requires exactly one file upload per request.', {
    ArgumentName: 'file',
    ArgumentValue: '0',
  });
}

type Part = { readonly name: string; readonly fileName: string; readonly content: Buffer };

function* partsOf(body: Buffer, boundary: string): Generator<Part> {
  const opening = `--${boundary}`;
  if (!body.subarray(0, opening.length).equals(Buffer.from(opening))) throw malformed();
  let at = opening.length;
  while (body.toString('latin1', at, at + 2) === '\r\n') {
    // Searched from the line end before the headers, so a part without headers is found, too.
    const headersEnd = body.indexOf('\r\n\r\n', at);
    const end = headersEnd < 0 ? -1 : body.indexOf(`\r\n--${boundary}`, headersEnd + 2);
    if (end < 0) throw malformed();
    const headers = body.toString('utf8', at + 2, headersEnd);
    yield { ...named(headers), content: body.subarray(headersEnd + 4, end) };
    at = end + 4 + boundary.length;
  }
  if (body.toString('latin1', at, at + 2) !== '--') throw malformed();
}

function named(headers: string): { name: string; fileName: string } {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? '';
  const name = /(?:^|[;\s])name="([^"]*)"/i.exec(disposition)?.[1];
  if (!name) throw malformed();
  const fileName = /(?:^|[;\s])filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
  return { name: name.toLowerCase(), fileName };
}

function malformed(): S3Failure {
  const message = 'The body of your POST request is not well-formed multipart/form-data.';
  return new S3Failure(400, 'MalformedPOSTRequest', message);
}
