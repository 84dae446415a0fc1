/** How many calls run at the same time. */
const AT_ONCE = 50;

/** Works on all items, some at the same time. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < items.length; index += AT_ONCE)
    await Promise.all(items.slice(index, index + AT_ONCE).map(work));
}
