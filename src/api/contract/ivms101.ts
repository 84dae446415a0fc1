import { z } from 'zod';
import { report, text } from './ivms101Fields';
import { originatorPerson, person } from './ivms101Person';

/**
 * IVMS101, the data that VASPs exchange about the people behind a transfer, with the API's field names: persons are
 * `originatorPerson` and `beneficiaryPerson` (docs/api-behavior.md#travel-rule).
 */

const TRANSLITERATIONS = ['arab', 'aran', 'armn', 'cyrl', 'deva', 'geor', 'grek', 'hani', 'hebr', 'kana', 'kore', 'thai', 'othr'] as const; // prettier-ignore

const accountNumber = z
  .array(text(100, 'A blockchain address or account', '0x774d7851bbda86ed5314823758baf3840166a9f5'))
  .min(1)
  .meta({
    description: 'Accounts of the transfer: addresses on the blockchain',
    examples: [['0x774d7851bbda86ed5314823758baf3840166a9f5']],
  });

export const ivms101 = z.object({
  originator: z
    .object({
      originatorPerson: z
        .array(originatorPerson)
        .min(1)
        .meta({ description: 'The person who sends; several for a joint account' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'Originator of the transfer' }),
  beneficiary: z
    .object({
      beneficiaryPerson: z.array(person).min(1).meta({ description: 'The person who receives' }),
      accountNumber: accountNumber.optional(),
    })
    .meta({ description: 'Beneficiary of the transfer' }),
  originatingVASP: z
    .object({ originatingVASP: person.meta({ description: 'The organization' }) })
    .meta({ description: 'The VASP that sends for the originator' })
    .optional(),
  beneficiaryVASP: z
    .object({ beneficiaryVASP: person.meta({ description: 'The organization' }) })
    .meta({ description: 'The VASP that receives for the beneficiary' })
    .optional(),
  transferPath: z
    .object({
      transferPath: z
        .array(
          z.object({
            intermediaryVASP: person.meta({ description: 'An intermediary VASP' }),
            sequence: z
              .number()
              .int()
              .nonnegative()
              .meta({ description: 'Its position in the path, from 0', examples: [0] }),
          }),
        )
        // Constraint C12 of the standard.
        .superRefine((path, context) =>
          report(context, [
            new Set(path.map(({ sequence }) => sequence)).size !== path.length && {
              path: [],
              message: 'must not contain a sequence twice',
            },
          ]),
        )
        .meta({ description: 'Intermediary VASPs, each with its position' }),
    })
    .meta({ description: 'Path of the transfer through intermediary VASPs' })
    .optional(),
  payloadMetadata: z
    .object({
      transliterationMethod: z
        .array(z.enum(TRANSLITERATIONS))
        .meta({ description: 'How names were transliterated into Latin script', examples: [['cyrl']] }),
    })
    .meta({ description: 'Information about the data itself' })
    .optional(),
});
export type Ivms101 = z.output<typeof ivms101>;
