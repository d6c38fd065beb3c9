/** Why a permission lets the caller, or does not. Pure. */

export type Reason = 'HELD' | 'NOT_HELD' | 'UNKNOWN_PERMISSION' | 'NO_RELATION' | 'CONSENT_MISSING';

type PermissionFacts = {
  readonly isKnown: boolean;
  readonly isHeld: boolean;
  /** Null: nobody was asked about. */
  readonly person: { readonly isPatient: boolean; readonly isConsenting: boolean } | null;
};

/** What a person in question adds: that the person is with a site of the caller's, and consents to be looked at. */
export function decide({ isKnown, isHeld, person }: PermissionFacts): { allowed: boolean; because: Reason } {
  if (!isKnown) return { allowed: false, because: 'UNKNOWN_PERMISSION' };
  if (!isHeld) return { allowed: false, because: 'NOT_HELD' };
  if (person && !person.isPatient) return { allowed: false, because: 'NO_RELATION' };
  if (person && !person.isConsenting) return { allowed: false, because: 'CONSENT_MISSING' };
  return { allowed: true, because: 'HELD' };
}
