import { table } from '../../lib/contract/tables.ts';

/**
 * By what the prefix says: `mail#<mailId>`, that a mail was sent; `sent#<hash>`, how many an address got in the last hour; and
 * `code#<kind>#<hash>`, the keyed hash of the latest code that an address got and the tries that are left. An address is a keyed hash.
 */
export const MailRecords = table('MailRecords', { partitionKey: 'mailRecord', expires: true });
