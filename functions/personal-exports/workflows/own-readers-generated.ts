// Generated from functions/*/data.ts by npm run generate; do not edit.

import { readAllMessages } from '../../agent-board/exports.ts';
import { writeConsentPage } from '../../receipts/exports.ts';

export const ownReaders = { readAllMessages };
export const ownWriters = { writeConsentPage };
