import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAddressGuard, reachOf } from '../../../src/features/webhooks/address-guard.ts'

const PUBLIC_HOST = '93.184.215.14'
const guard = guardResolving([PUBLIC_HOST])

test('hosts that are not on the public internet are refused in every spelling', async () => {
  const hosts = [
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '127.255.255.254',
      '0x7f000001',
      '0x7f.1',
      '2130706433',
      '017700000001',
    ],
    ...['0177.0.0.1', '127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '127.0.0.1%2e', '%31%32%37.0.0.1'],
    ...[
      '0',
      '0.0.0.0',
      '0x0',
      '10.0.0.1',
      '10.1',
      '167772161',
      '100.64.0.1',
      '100.127.255.255',
      '100.100.100.200',
    ],
    ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '168.63.129.16'],
    ...[
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.1',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
    ],
    ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.1', '255.255.255.255', '4294967295'],
    ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ...['[0:0:0:0:0:FFFF:7F00:0001]', '[::FFFF:169.254.169.254]', '[::ffff:0:7f00:1]', '[::ffff:10.0.0.1]'],
    ...[
      '[64:ff9b::7f00:1]',
      '[64:ff9b::10.0.0.1]',
      '[64:ff9b:1::1]',
      '[2002:7f00:1::]',
      '[2002:a9fe:a9fe::1]',
    ],
    ...['[2001::1]', '[2001:0:7f00:1::]', '[2001:2::1]', '[2001:10::1]', '[2001:db8::1]', '[3fff::1]'],
    ...['[fc00::1]', '[fd00:ec2::254]', '[fd20:ce::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[100::1]'],
    ...['[5f00::1]', '[4000::1]', '[1fff::1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'intranet', 'printer.local', 'db.internal'],
    ...['metadata.google.internal', 'metadata.google.internal.', 'router.home.arpa', 'ⓛocalhost'],
    ...[
      'localhost..',
      '127.0.0.1..',
      '169.254.169.254...',
      '[::1]',
      'db.internal..',
      'intranet.',
      'a.localhost..',
    ],
  ]
  for (const host of hosts) {
    for (const url of [`https://${host}/hook`, `http://${host}:8080`, `https://user:word@${host}/`]) {
      for (const mode of ['test', 'live'] as const) {
        const examined = await guard(url, mode)
        assert.equal(examined.outcome === 'forbidden' && examined.code, 'forbidden_address', `${mode} ${url}`)
      }
    }
  }
})

test('hosts on the public internet are allowed, with the addresses to connect to', async () => {
  const cases: [host: string, addresses: object[]][] = [
    ['8.8.8.8', [{ address: '8.8.8.8', family: 4 }]],
    ['134744072', [{ address: '8.8.8.8', family: 4 }]],
    ['[2606:4700::1111]', [{ address: '2606:4700::1111', family: 6 }]],
    ['[::ffff:8.8.8.8]', [{ address: '::ffff:808:808', family: 6 }]],
    ['[64:ff9b::8.8.8.8]', [{ address: '64:ff9b::808:808', family: 6 }]],
    ['example.com', [{ address: PUBLIC_HOST, family: 4 }]],
    ['example.com.', [{ address: PUBLIC_HOST, family: 4 }]],
    ['localhost.example.com', [{ address: PUBLIC_HOST, family: 4 }]],
    ['127.0.0.1.example.com', [{ address: PUBLIC_HOST, family: 4 }]],
  ]
  for (const [host, addresses] of cases) {
    assert.deepEqual(await guard(`https://${host}/`, 'live'), { outcome: 'allowed', addresses }, host)
  }
})

test('the borders of the blocks are those of the registries', () => {
  const borders: [outside: string, inside: string][] = [
    ['9.255.255.255', '10.0.0.0'],
    ['11.0.0.0', '10.255.255.255'],
    ['100.63.255.255', '100.64.0.0'],
    ['100.128.0.0', '100.127.255.255'],
    ['126.255.255.255', '127.0.0.0'],
    ['128.0.0.0', '127.255.255.255'],
    ['169.253.255.255', '169.254.0.0'],
    ['169.255.0.0', '169.254.255.255'],
    ['172.15.255.255', '172.16.0.0'],
    ['172.32.0.0', '172.31.255.255'],
    ['192.167.255.255', '192.168.0.0'],
    ['192.169.0.0', '192.168.255.255'],
    ['198.17.255.255', '198.18.0.0'],
    ['198.20.0.0', '198.19.255.255'],
    ['223.255.255.255', '224.0.0.0'],
    ['1.0.0.0', '0.255.255.255'],
    ['2000::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:200::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::'],
    ['2003::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff:1000::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::'],
  ]
  for (const [outside, inside] of borders) {
    assert.equal(reachOf(outside), 'public', outside)
    assert.notEqual(reachOf(inside), 'public', inside)
  }
})

test('what carries an IPv4 address reaches no further than that address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(reachOf(`::ffff:${address}`), reachOf(address))
      assert.equal(reachOf(`64:ff9b::${address}`), reachOf(address))
      assert.notEqual(reachOf(`::${address}`), 'public')
    }),
  )
})

test('what is not an address, or has a zone, is not public', () => {
  for (const text of ['', 'example.com', '8.8.8', '08.8.8.8', '2606:4700::1111%eth0', '::g', '8.8.8.8 ']) {
    assert.equal(reachOf(text), 'other', text)
  }
})

test('one forbidden address among those of a name forbids the name', async () => {
  for (const addresses of [['127.0.0.1'], [PUBLIC_HOST, '10.0.0.1'], ['::1', PUBLIC_HOST], ['fd00::1']]) {
    const examined = await guardResolving(addresses)('https://example.com/', 'test')
    assert.equal(examined.outcome === 'forbidden' && examined.code, 'forbidden_address')
  }
})

test('a name that does not resolve now is allowed, with nothing to connect to', async () => {
  const examined = await guardResolving([])('https://example.com/', 'live')
  assert.deepEqual(examined, { outcome: 'allowed', addresses: [] })
})

test('live books accept https only; credentials and port 0 are refused everywhere', async () => {
  const cases: [url: string, mode: 'test' | 'live', outcome: 'allowed' | 'forbidden'][] = [
    ['http://example.com/', 'test', 'allowed'],
    ['http://example.com/', 'live', 'forbidden'],
    ['HTTPS://EXAMPLE.COM:8443/a?b=c', 'live', 'allowed'],
    ['https://user@example.com/', 'test', 'forbidden'],
    ['https://:word@example.com/', 'live', 'forbidden'],
    ['https://127.0.0.1@example.com/', 'test', 'forbidden'],
    ['https://example.com:0/', 'test', 'forbidden'],
    ['ftp://example.com/', 'test', 'forbidden'],
  ]
  for (const [url, mode, outcome] of cases) {
    const examined = await guard(url, mode)
    assert.equal(examined.outcome, outcome, url)
    if (examined.outcome === 'forbidden') assert.equal(examined.code, 'invalid_value', url)
  }
})

test('a host with an empty part is not a name; one final dot is allowed', async () => {
  for (const host of ['example.com..', 'example..com', '.example.com', '8.8.8.8..']) {
    const examined = await guard(`https://${host}/`, 'live')
    assert.equal(examined.outcome === 'forbidden' && examined.code, 'invalid_value', host)
  }
  assert.equal((await guard('https://example.com./', 'live')).outcome, 'allowed')
})

test('loopback may be allowed, for test books alone and nothing beyond it', async () => {
  const lenient = createAddressGuard({ loopbackAllowed: true, resolve: async () => ['127.0.0.1'] })
  for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]', '127.1', 'example.com']) {
    assert.equal((await lenient(`http://${host}/`, 'test')).outcome, 'allowed', host)
    assert.equal((await lenient(`https://${host}/`, 'live')).outcome, 'forbidden', host)
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '[fe80::1]', 'intranet', '192.168.0.1']) {
    assert.equal((await lenient(`http://${host}/`, 'test')).outcome, 'forbidden', host)
  }
  assert.deepEqual(await lenient('http://localhost/', 'test'), {
    outcome: 'allowed',
    addresses: [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  })
})

function guardResolving(addresses: string[]) {
  return createAddressGuard({ loopbackAllowed: false, resolve: async () => addresses })
}
