-- The three lures with their colours and stock. Idempotent: existing products stay unchanged. One statement, because a
-- product that is committed without colours gets a default one.
with made as (
  insert into public.products (slug, name, description, price, price_with_hooks, image_url, images, category, model, length_mm, weight_grams, hook_size, specs, position)
  values
    ('slow-sinking-stick-bait-180', 'Slow Sinking Stick Bait (180mm/150G)',
      'A heavy, slim stick bait that casts far into the wind and sinks level with a slow roll. Sweep it, pause it, and let it glide: most hits come on the drop.',
      400, 500, '/storage/v1/object/public/catalogue/stick-bait-180-main.jpg',
      '[{"url": "/storage/v1/object/public/catalogue/stick-bait-180-main.jpg", "alt": "Blue Reaper 180 mm stick bait at three-quarter angle with two 5/0 treble hooks"}]',
      'Stick Baits', 'SSB-180', 180, 150, '5/0 treble',
      '[{"label": "Length", "value": "180 mm"}, {"label": "Weight", "value": "150 g"}, {"label": "Action", "value": "Slow sinking, level, with a rolling glide on the sweep"}, {"label": "Target species", "value": "Giant trevally, yellowtail, tuna, dorado"}]',
      1),
    ('chisel-nose-popper-150', 'Chisel Nose Popper 150mm/30G',
      'The chisel face spits and chugs at the lightest twitch, and at 30 g it still carries on light spinning tackle. For the surf zone, the estuary mouth and calm mornings.',
      110, 142, '/storage/v1/object/public/catalogue/popper-150-main.jpg',
      '[{"url": "/storage/v1/object/public/catalogue/popper-150-main.jpg", "alt": "Red Head 150 mm chisel nose popper at three-quarter angle with two 3/0 treble hooks"}]',
      'Poppers', 'CNP-150', 150, 30, '3/0 treble',
      '[{"label": "Length", "value": "150 mm"}, {"label": "Weight", "value": "30 g"}, {"label": "Action", "value": "Floating; spits on a twitch, chugs on a pull"}, {"label": "Target species", "value": "Garrick, kingfish, shad, queenfish"}]',
      2),
    ('chisel-nose-popper-200', 'Chisel Nose Popper 200mm/50G',
      'The bigger brother: a deep boil and a long trail of bubbles that calls fish up from below. Built for heavier rods and for fish that do not stop.',
      140, 204, '/storage/v1/object/public/catalogue/popper-200-main.jpg',
      '[{"url": "/storage/v1/object/public/catalogue/popper-200-main.jpg", "alt": "Mahi Mahi 200 mm chisel nose popper at three-quarter angle with two 3/0 treble hooks"}]',
      'Poppers', 'CNP-200', 200, 50, '3/0 treble',
      '[{"label": "Length", "value": "200 mm"}, {"label": "Weight", "value": "50 g"}, {"label": "Action", "value": "Floating; a deep chug and a long bubble trail"}, {"label": "Target species", "value": "Giant trevally, kingfish, dorado, yellowtail"}]',
      3)
  on conflict (slug) do nothing
  returning id, slug, length_mm, model
),
finishes (position, colour, file, look) as (
  values
    (1, 'Blue Reaper', 'blue-reaper', 'deep blue back with dark vertical bars over a silver-white belly'),
    (2, 'Red Head', 'red-head', 'red head with a sprayed edge on a pearl-white scaled body'),
    (3, 'Slachback', 'slachback', 'dark diagonal slashes over a green and gold back with a pale belly'),
    (4, 'Mahi Mahi', 'mahi-mahi', 'electric blue, green and yellow with dark blue speckles'),
    (5, 'Pink Stinger', 'pink-stinger', 'hot pink back fading to a pearl belly with a faint scale pattern')
),
shapes (slug, file, kind, stock) as (
  values
    ('slow-sinking-stick-bait-180', 'stick-bait-180', '180 mm slow sinking stick bait', array[12, 9, 7, 10, 6]),
    ('chisel-nose-popper-150', 'popper-150', '150 mm chisel nose popper', array[24, 18, 15, 20, 16]),
    ('chisel-nose-popper-200', 'popper-200', '200 mm chisel nose popper', array[18, 14, 12, 16, 10])
)
insert into public.product_variants (product_id, slug, name, sku, image_url, image_alt, stock_quantity, position)
select p.id, f.file,
  -- The spelling of the colours differs between products, as in the specification.
  case
    when s.file = 'stick-bait-180' and f.colour = 'Pink Stinger' then 'Pink Stinger Stick Bait'
    when s.file = 'stick-bait-180' then f.colour
    else replace(f.colour, 'Red Head', 'Redhead') || ' ' || p.length_mm || 'mm'
  end,
  p.model || '-' || upper(array_to_string(array(select left(word, 1) from regexp_split_to_table(f.colour, ' ') as word), '')) || f.position,
  '/storage/v1/object/public/catalogue/' || s.file || '-' || f.file || '.jpg',
  f.colour || ' ' || s.kind || ': ' || f.look,
  s.stock[f.position],
  case when s.file = 'stick-bait-180' then f.position else array_position(array[1, 4, 2, 5, 3], f.position) end
from shapes s
join made p on p.slug = s.slug
cross join finishes f;
