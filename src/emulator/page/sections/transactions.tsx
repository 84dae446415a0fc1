import { ActionButton, FormButton } from '../buttons.js';
import type { Newest, TransactionView } from '../overview.js';
import { Actions, Section, State, Table, Time, Truncated } from '../widgets.js';
import { useWorld } from '../world.js';

export function Transactions({ transactions: { shown, count } }: { transactions: Newest<TransactionView> }) {
  return (
    <Section
      id="transactions"
      title="Transactions"
      count={count}
      empty="None yet. Transfers, contract calls and tokens sent to a wallet create transactions."
    >
      <Table columns={['Transaction', 'State', 'Amount', 'From, to']} shown={shown.length} count={count}>
        {shown.map((transaction) => (
          <Row key={transaction.id} transaction={transaction} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ transaction }: { transaction: TransactionView }) {
  const { runControl } = useWorld();
  const { id, state, transactionType, operation, blockchain, amount, errorReason, createDate, refId, controls } =
    transaction;
  const path = `/transactions/${id}`;
  return (
    <tr>
      <td>
        <div>
          {transactionType === 'INBOUND' ? 'in' : 'out'} · {operation?.toLowerCase().replaceAll('_', ' ')} ·{' '}
          {blockchain}
        </div>
        <Truncated text={transaction.txHash ?? id} /> <small>{refId}</small>
        <small>
          <Time at={createDate} />
        </small>
      </td>
      <td data-label="State">
        <State state={state} />
        {errorReason && <small>{errorReason}</small>}
      </td>
      <td data-label="Amount">{amount}</td>
      <td data-label="From, to">
        {transaction.sourceAddress && <Truncated text={transaction.sourceAddress} />}
        {' → '}
        {transaction.destinationAddress && <Truncated text={transaction.destinationAddress} />}
      </td>
      <Actions>
        {controls.includes('stick') && (
          <ActionButton
            label={`Make transaction ${id} stuck`}
            run={() => runControl('The transaction will not be mined', 'POST', `${path}/stick`)}
          >
            Stick
          </ActionButton>
        )}
        {controls.includes('fail') && (
          <FormButton
            label={`Fail transaction ${id}`}
            title="The transaction fails"
            submit="Fail"
            fields={[{ name: 'errorReason', label: 'Reason', value: 'FAILED_ON_CHAIN' }]}
            run={(body) => runControl('Transaction failed', 'POST', `${path}/fail`, body)}
          >
            Fail
          </FormButton>
        )}
        {controls.includes('deny') && (
          <ActionButton
            label={`Deny transaction ${id}`}
            run={() => runControl('Transaction denied', 'POST', `${path}/deny`)}
          >
            Deny
          </ActionButton>
        )}
      </Actions>
    </tr>
  );
}
