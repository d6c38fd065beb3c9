/** Looks of an access log; without those of administrators who list users at this moment, in other test files. */
export const withoutLists = <Look extends { readonly action: string }>(looks: readonly Look[]): Look[] =>
  looks.filter(({ action }) => action !== 'GET /users');
