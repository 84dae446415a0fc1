import type { IvmsProblem } from './ivms101Fields';

/** Constraints of IVMS101 that span several fields. A problem names the field and the API's name of the problem. */

interface NationalId {
  nationalIdentifier: string;
  nationalIdentifierType: string;
  countryOfIssue?: string | undefined;
  registrationAuthority?: string | undefined;
}

/** Constraints C9 to C11, for a legal person. */
export function nationalIdProblem(id: NationalId): (IvmsProblem | false)[] {
  const lei = id.nationalIdentifierType === 'LEIX';
  const { registrationAuthority: authority } = id;
  return [
    id.countryOfIssue !== undefined && {
      path: ['countryOfIssue'],
      message: 'is allowed only for natural persons',
      params: { error: 'not_required' },
    },
    lei &&
      authority !== undefined && {
        path: ['registrationAuthority'],
        message: 'must be omitted with an LEI',
        params: { error: 'not_required' },
      },
    !lei &&
      authority === undefined && {
        path: ['registrationAuthority'],
        message: 'is required without an LEI',
        params: { error: 'required' },
      },
    authority !== undefined &&
      !/^RA\d{6}$/.test(authority) && {
        path: ['registrationAuthority'],
        message: 'must be RA and six digits',
        params: { error: 'pattern_mismatch' },
      },
    lei &&
      !isLei(id.nationalIdentifier) && {
        path: ['nationalIdentifier'],
        message: 'is not an LEI: it must be 18 letters or digits and two check digits (ISO 17442)',
        params: { error: 'pattern_mismatch' },
      },
  ];
}

/** ISO 17442: letters count from 10 (A), and the resulting number must be 1 modulo 97. */
function isLei(text: string): boolean {
  if (!/^[A-Z\d]{18}\d{2}$/.test(text)) return false;
  const digits = Array.from(text, (character) => Number.parseInt(character, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

interface Address {
  addressLine?: string[] | undefined;
  streetName?: string | undefined;
  buildingName?: string | undefined;
  buildingNumber?: string | undefined;
}

/** Constraint C8. */
export function hasFullAddress({ addressLine = [], streetName, buildingName, buildingNumber }: Address): boolean {
  return addressLine.length > 0 || (streetName !== undefined && (buildingName ?? buildingNumber) !== undefined);
}

/** Constraint C2, for a date of the form YYYY-MM-DD: that day has begun in UTC. */
export function isPast(date: string): boolean {
  return Date.parse(date) <= Date.now();
}
