import { z } from 'zod';
import { code, countryCode, report, text } from './ivms101Fields';
import { hasFullAddress, isPast, nationalIdProblem } from './ivms101Rules';

/** Persons of IVMS101, natural and legal: lengths, code lists and constraints C1 to C11 of the standard. */

const NATURAL_NAME_TYPES = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'] as const;
const LEGAL_NAME_TYPES = ['LEGL', 'SHRT', 'TRAD'] as const;
const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG'] as const;
const NATURAL_ID_TYPES = ['ARNU', 'CCPT', 'RAID', 'DRLC', 'FIIN', 'TXID', 'SOCS', 'IDCD', 'LEIX', 'MISC'] as const;

const address = z
  .object({
    addressType: code(ADDRESS_TYPES, 'What the address is for: HOME, BIZZ (business) or GEOG (neither is known)'),
    department: text(50, 'Department of a large organisation', 'Treasury').optional(),
    subDepartment: text(70, 'Part of the department', 'Payments').optional(),
    streetName: text(70, 'Street, without the number', 'Rue de la Paix').optional(),
    buildingNumber: text(16, 'Number in the street', '12b').optional(),
    buildingName: text(35, 'Name of the building, in place of a number or beside it', 'Tour Nord').optional(),
    floor: text(70, 'Floor of the building', '3').optional(),
    postBox: text(16, 'Number of a post-office box', '4711').optional(),
    room: text(70, 'Room in the building', '304').optional(),
    postcode: text(16, 'Postal code', '75002').optional(),
    townName: text(35, 'Town or city', 'Paris'),
    townLocationName: text(35, 'Place within the town', 'Vendôme').optional(),
    districtName: text(35, 'District within the subdivision of the country', '2e arrondissement').optional(),
    countrySubDivision: text(35, 'State, province or county', 'Île-de-France').optional(),
    addressLine: z
      .array(text(70, 'One line', '12b Rue de la Paix'))
      .max(7)
      .meta({ description: 'The address as lines, where it is not known in parts', examples: [['12b Rue de la Paix']] })
      .optional(),
    country: countryCode('Country of the address, ISO 3166-1 alpha-2; XX where there is none'),
  })
  .superRefine((value, context) =>
    report(context, [
      // C8
      !hasFullAddress(value) && {
        path: ['streetName'],
        message: 'is required with buildingNumber or buildingName, unless addressLine is given',
        params: { error: 'required' },
      },
    ]),
  );
const addresses = z.array(address).min(1).meta({ description: 'Postal addresses of the person' });

const naturalNameId = z.object({
  primaryIdentifier: text(100, 'Family name, or the whole name where it has no parts', 'Dupont'),
  secondaryIdentifier: text(100, 'Given names; left out where there are none', 'Anne-Marie').optional(),
  naturalPersonNameIdentifierType: code(
    ['LEGL', ...NATURAL_NAME_TYPES.filter((type) => type !== 'LEGL')] as [string, ...string[]],
    'What kind of name: LEGL legal, BIRT at birth, MAID maiden, ALIA alias, MISC other',
  ),
});
const legalNameId = z.object({
  legalPersonName: text(100, 'Name of the organisation', 'Exemple SARL'),
  legalPersonNameIdentifierType: code(
    LEGAL_NAME_TYPES,
    'What kind of name: LEGL registered, SHRT short, TRAD trading name',
  ),
});

function names<S extends z.ZodType>(name: S, isLegal: (given: z.output<S>) => boolean) {
  const list = z.array(name);
  return z
    .object({
      nameIdentifier: list.min(1).meta({ description: 'Names in Latin or the original script; one is the legal name' }),
      localNameIdentifier: list.meta({ description: 'The same names in the local script' }).optional(),
      phoneticNameIdentifier: list.meta({ description: 'The same names as they are pronounced' }).optional(),
    })
    .superRefine(({ nameIdentifier }, context) =>
      report(context, [
        // C5, C6
        !nameIdentifier.some(isLegal) && {
          path: ['nameIdentifier'],
          message: 'needs one name of the type LEGL',
          params: { error: 'required' },
        },
      ]),
    );
}

const nationalIdFields = {
  nationalIdentifier: text(35, 'The number on the document or in the register', '12AB34567'),
  countryOfIssue: countryCode('Country that issued it; natural persons only').optional(),
  registrationAuthority: text(
    8,
    'The register, by its code in the list of GLEIF (RA and six digits); legal persons without an LEI',
    'RA000189',
  ).optional(),
};
const naturalNationalId = z.object({
  ...nationalIdFields,
  nationalIdentifierType: code(
    NATURAL_ID_TYPES,
    'ARNU alien registration, CCPT passport, RAID registration authority, DRLC driving licence, FIIN foreign investment, ' +
      'TXID tax, SOCS social security, IDCD identity card, LEIX LEI, MISC other',
  ),
});
const legalNationalId = z
  .object({
    ...nationalIdFields,
    // C7
    nationalIdentifierType: code(
      ['LEIX', 'RAID', 'TXID', 'MISC'],
      'LEIX LEI, RAID registration authority, TXID tax, MISC other',
    ),
  })
  .superRefine((value, context) => report(context, nationalIdProblem(value)));

const customerIdentification = text(50, "The sending VASP's own number of the customer", 'cus-4711');

const naturalPerson = z.object({
  name: names(naturalNameId, ({ naturalPersonNameIdentifierType: type }) => type === 'LEGL').meta({
    description: 'Names of the person',
  }),
  geographicAddress: addresses.optional(),
  nationalIdentification: naturalNationalId.meta({ description: 'A document or number of the person' }).optional(),
  customerIdentification: customerIdentification.optional(),
  dateAndPlaceOfBirth: z
    .object({
      // C2
      dateOfBirth: z.iso
        .date()
        .superRefine((date, context) => report(context, [!isPast(date) && { path: [], message: 'is not in the past' }]))
        .meta({ description: 'Date of birth, YYYY-MM-DD', examples: ['1987-03-09'] }),
      placeOfBirth: text(70, 'Town and country of birth', 'Lyon, France'),
    })
    .meta({ description: 'When and where the person was born' })
    .optional(),
  countryOfResidence: countryCode('Country in which the person lives').optional(),
});

const legalPerson = z.object({
  name: names(legalNameId, ({ legalPersonNameIdentifierType: type }) => type === 'LEGL').meta({
    description: 'Names of the organisation',
  }),
  geographicAddress: addresses.optional(),
  customerIdentification: customerIdentification.optional(),
  nationalIdentification: legalNationalId.meta({ description: 'Its LEI, or a number in a register' }).optional(),
  countryOfRegistration: countryCode('Country in which it is registered').optional(),
});

export const person = z
  .object({
    naturalPerson: naturalPerson.meta({ description: 'A human being' }).optional(),
    legalPerson: legalPerson.meta({ description: 'An organisation' }).optional(),
  })
  .superRefine((value, context) => {
    const given = [value.naturalPerson, value.legalPerson].filter((one) => one !== undefined).length;
    report(context, [
      given === 0 && { path: ['naturalPerson'], message: 'is required, or legalPerson', params: { error: 'required' } },
      given === 2 && { path: ['legalPerson'], message: 'is one too many beside naturalPerson', params: { error: 'not_required' } }, // prettier-ignore
    ]);
  });

/** C1, C4: whoever sends has to be told apart from others of the same name. */
export const originatorPerson = person.superRefine(({ naturalPerson: natural, legalPerson: legal }, context) => {
  const common = natural ?? legal;
  if (!common) return;
  const { geographicAddress, nationalIdentification, customerIdentification: customer } = common;
  const identified = [geographicAddress, nationalIdentification, customer, natural?.dateAndPlaceOfBirth];
  report(context, [
    identified.every((field) => field === undefined) && {
      path: [natural ? 'naturalPerson' : 'legalPerson'],
      message: natural
        ? 'needs geographicAddress, nationalIdentification, customerIdentification or dateAndPlaceOfBirth'
        : 'needs geographicAddress, nationalIdentification or customerIdentification',
      params: { error: 'required' },
    },
  ]);
});
