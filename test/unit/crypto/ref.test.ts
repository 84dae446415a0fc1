import fc from 'fast-check';
import { parseWorkflowId, refProblem, workflowId } from '../../../src/domain/flowId';

const refs = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$/);

test('a valid ref has no problem, and a workflow id can be parsed back to its parts', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/),
      fc.stringMatching(/^[a-z][A-Za-z0-9]{0,31}$/),
      refs,
      (entity, flow, ref) => {
        expect(refProblem(ref)).toBeUndefined();
        expect(parseWorkflowId(workflowId({ entity, flow, ref }))).toEqual({ entity, flow, ref });
      },
    ),
  );
  expect(workflowId({ entity: 'acme', flow: 'transfer', ref: 'inv-42' })).toBe('acme/transfer/inv-42');
});

test.each(['', '-a', 'a b', 'a/b', 'a~b', 'jane@example.com', 'é', 'a\n', 'a'.repeat(121)])('%j is rejected', (ref) => {
  expect(refProblem(ref)).toContain(`ref: must have 1 to 120 characters`);
  expect(refProblem(ref)).toContain(`got a string of ${ref.length} characters. Use an opaque id of your own`);
  if (ref.length > 2) expect(refProblem(ref)).not.toContain(ref);
});

test.each([undefined, null, 7, {}])('%p is rejected', (ref) =>
  expect(refProblem(ref)).toContain('got a value of type'),
);

test.each([
  '',
  'acme',
  'acme/transfer',
  'acme/transfer/',
  '/transfer/x',
  'acme/Transfer/x',
  'acme/transfer/x/y',
  'a/b/c d',
])('%j is not a workflow id of a flow', (id) => expect(parseWorkflowId(id)).toBeUndefined());
