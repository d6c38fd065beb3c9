/** The `subject` of an audit event. */
export function subjectOf(siteId: string, userId?: string): string {
  return userId === undefined ? `site/${siteId}` : `site/${siteId}/staff/${userId}`;
}
