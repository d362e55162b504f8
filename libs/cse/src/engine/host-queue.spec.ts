import { expect, test } from '@jest/globals';
import { HostQueue } from './host-queue.ts';

const from = (host: string, name: string) => ({ url: `http://${host}.example/${name}` });

test(
  'no more are active at the same time than allowed from one host, and another host need not wait for ' +
    'them',
  () => {
    const queue = new HostQueue<{ readonly url: string }>({ parallel: 3, perHost: 2 });
    const [a1, a2, a3, b1, b2] = [
      from('a', '1'),
      from('a', '2'),
      from('a', '3'),
      from('b', '1'),
      from('b', '2'),
    ];
    queue.add([a1, a2, a3, b1, b2]);
    expect(queue.take()).toEqual([a1, b1, a2]);
    expect(queue.take()).toEqual([]);
    queue.release(b1);
    expect(queue.take()).toEqual([b2]);
    queue.release(b2);
    expect(queue.take()).toEqual([]);
    queue.release(a1);
    expect(queue.take()).toEqual([a3]);
  },
);
