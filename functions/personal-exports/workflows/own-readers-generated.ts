// Generated from functions/*/personal-data.ts by npm run generate; do not edit.

import { readAllFlags } from '../../questionnaire-responses/exports.ts';
import { readAllMessages } from '../../agent-board/exports.ts';
import { readAllResponses } from '../../questionnaire-responses/exports.ts';
import { readAllTickets } from '../../support/exports.ts';
import { readAllUrgentTickets } from '../../support/exports.ts';
import { readOwnStaffAccount } from '../../staff/exports.ts';
import { writeConsentPage } from '../../receipts/exports.ts';
import { writeFhirFile } from '../../fhir/exports.ts';

export const ownReaders = { readOwnStaffAccount, readAllMessages, readAllFlags, readAllResponses, readAllTickets, readAllUrgentTickets };
export const ownWriters = { writeConsentPage, writeFhirFile };
