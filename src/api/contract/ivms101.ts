import { z } from 'zod';
import { ivmsCountry } from './countries';
import { nationalIdProblem, hasFullAddress, isPast, type IvmsProblem } from './ivms101Rules';

/**
 * IVMS101, the data that VASPs send one another about the people behind a transfer: field names of the API (api-facts 9:
 * persons as `originatorPerson`, `beneficiaryPerson`), lengths and constraints C1 to C12 of the standard. What is wrong is
 * told by field and never by value: these are personal data.
 */

const NATURAL_NAME_TYPES = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'] as const;
const LEGAL_NAME_TYPES = ['LEGL', 'SHRT', 'TRAD'] as const;
const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG'] as const;
const NATURAL_ID_TYPES = ['ARNU', 'CCPT', 'RAID', 'DRLC', 'FIIN', 'TXID', 'SOCS', 'IDCD', 'LEIX', 'MISC'] as const;
const TRANSLITERATIONS = ['arab', 'aran', 'armn', 'cyrl', 'deva', 'geor', 'grek', 'hani', 'hebr', 'kana', 'kore', 'thai', 'othr'] as const; // prettier-ignore

function report(context: z.core.$RefinementCtx<unknown>, problems: readonly (IvmsProblem | false)[]): void {
  for (const problem of problems) if (problem) context.addIssue({ code: 'custom', ...problem });
}

/** Any script, counted in characters; only control characters are refused (field case TR-03). */
function text(most: number, description: string, ...examples: string[]) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = Array.from(value).length;
      report(context, [
        (length < 1 || length > most) && { path: [], message: `needs 1 to ${most} characters`, params: { error: 'length_outside_bounds' } }, // prettier-ignore
        /\p{Cc}/u.test(value) && { path: [], message: 'may not hold control characters', params: { error: 'pattern_mismatch' } }, // prettier-ignore
      ]);
    })
    .meta({ description, examples, minLength: 1, maxLength: most });
}

function code<const T extends readonly [string, ...string[]]>(values: T, description: string) {
  return z.enum(values).meta({ description, examples: [values[0]] });
}

const countryCode = (description: string) => ivmsCountry.meta({ description, examples: ['FR'] });

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

const person = z
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
export type IvmsPerson = z.output<typeof person>;

const accountNumber = z
  .array(text(100, 'A blockchain address or account', '0x774d7851bbda86ed5314823758baf3840166a9f5'))
  .min(1)
  .meta({
    description: 'Accounts of the transfer: addresses on the blockchain',
    examples: [['0x774d7851bbda86ed5314823758baf3840166a9f5']],
  });

/** C1, C4: whoever sends has to be told apart from others of the same name. */
const originatorPerson = person.superRefine(({ naturalPerson: natural, legalPerson: legal }, context) => {
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

export const ivms101 = z.object({
  originator: z
    .object({
      originatorPerson: z
        .array(originatorPerson)
        .min(1)
        .meta({ description: 'Who sends; several where the account is held jointly' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'Whose money is sent' }),
  beneficiary: z
    .object({
      beneficiaryPerson: z.array(person).min(1).meta({ description: 'Who is to receive' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'For whom the money is' }),
  originatingVASP: z
    .object({ originatingVASP: person.meta({ description: 'The organisation' }) })
    .meta({ description: 'The VASP that sends for the originator' })
    .optional(),
  beneficiaryVASP: z
    .object({ beneficiaryVASP: person.meta({ description: 'The organisation' }) })
    .meta({ description: 'The VASP that receives for the beneficiary' })
    .optional(),
  transferPath: z
    .object({
      transferPath: z
        .array(
          z.object({
            intermediaryVASP: person.meta({ description: 'A VASP in between' }),
            sequence: z
              .number()
              .int()
              .nonnegative()
              .meta({ description: 'Its place on the way, from 0', examples: [0] }),
          }),
        )
        // C12
        .superRefine((path, context) =>
          report(context, [
            new Set(path.map(({ sequence }) => sequence)).size !== path.length && {
              path: [],
              message: 'has a sequence twice',
            },
          ]),
        )
        .meta({ description: 'VASPs in between, each with its place' }),
    })
    .meta({ description: 'The way of the transfer through other VASPs' })
    .optional(),
  payloadMetadata: z
    .object({
      transliterationMethod: z
        .array(z.enum(TRANSLITERATIONS))
        .meta({ description: 'How names were put into Latin script', examples: [['cyrl']] }),
    })
    .meta({ description: 'About the data themselves' })
    .optional(),
});
export type Ivms101 = z.output<typeof ivms101>;
