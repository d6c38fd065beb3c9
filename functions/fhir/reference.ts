import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: "A person's data in the format that other health systems read.",
  examples: {
    searchOwnFhir: {
      query: { _type: 'Patient' },
      headers: {},
      answer: {
        resourceType: 'Bundle',
        type: 'searchset',
        link: [{ relation: 'self', url: '?_count=20&_type=Patient' }],
        entry: [
          {
            fullUrl: 'https://mobile-health.example/fhir/Patient/95f807be-bb56-4119-899f-ee487ecfa121',
            resource: {
              resourceType: 'Patient',
              id: '95f807be-bb56-4119-899f-ee487ecfa121',
              identifier: [
                {
                  system: 'https://mobile-health.example/fhir/sid/user',
                  value: '95f807be-bb56-4119-899f-ee487ecfa121',
                },
              ],
              active: true,
              telecom: [{ system: 'email', value: 'patient@example.com' }],
              communication: [
                { language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'de-DE' }] }, preferred: true },
              ],
            },
            search: { mode: 'match' },
          },
        ],
      },
    },
  },
};
