/** What other domains may import of this one's stores; its rules are anybody's. */

export { readEnrolment, readEnrolments, readEnrolmentsOf } from './stores/enrolments.ts';
export { eraseEnrolments } from './stores/erase-enrolments.ts';
export { readStudy } from './stores/studies.ts';
export { readStudyKey } from './stores/study-keys.ts';
