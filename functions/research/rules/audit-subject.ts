/** The `subject` of an audit event. */
export function subjectOf(studyId: string): string {
  return `study/${studyId}`;
}
