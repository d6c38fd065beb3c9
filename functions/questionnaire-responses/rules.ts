export { type DueBundle, dueBundle } from './rules/due-bundles.ts';
export { fhirResponse } from './rules/fhir-response.ts';
export { urgentTicketId } from './rules/flag.ts';
export { isId } from './rules/flag-image.ts';
export { completed, draftOf, fingerprintOf, type Response } from './rules/response.ts';
