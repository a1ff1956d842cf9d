;; keccak-f[1600] (FIPS 202, section 3), and the hex of nodes. `npm run wasm` writes it to src/base/generated/.
;;
;; Memory, one page: the state from 0, lane (x, y) at 8 * (x + 5 * y); the round constants from 200; input from 512.
(module
  (memory (export "memory") 1 1)

  ;; Constants of iota, one a round, lowest byte first.
  (data (i32.const 200)
    "\01\00\00\00\00\00\00\00"
    "\82\80\00\00\00\00\00\00"
    "\8a\80\00\00\00\00\00\80"
    "\00\80\00\80\00\00\00\80"
    "\8b\80\00\00\00\00\00\00"
    "\01\00\00\80\00\00\00\00"
    "\81\80\00\80\00\00\00\80"
    "\09\80\00\00\00\00\00\80"
    "\8a\00\00\00\00\00\00\00"
    "\88\00\00\00\00\00\00\00"
    "\09\80\00\80\00\00\00\00"
    "\0a\00\00\80\00\00\00\00"
    "\8b\80\00\80\00\00\00\00"
    "\8b\00\00\00\00\00\00\80"
    "\89\80\00\00\00\00\00\80"
    "\03\80\00\00\00\00\00\80"
    "\02\80\00\00\00\00\00\80"
    "\80\00\00\00\00\00\00\80"
    "\0a\80\00\00\00\00\00\00"
    "\0a\00\00\80\00\00\00\80"
    "\81\80\00\80\00\00\00\80"
    "\80\80\00\00\00\00\00\80"
    "\01\00\00\80\00\00\00\00"
    "\08\80\00\80\00\00\00\80"
  )

  ;; The permutation of the state. A round is unrolled over locals: $axy is lane (x, y).
  (func $permute (export "permute")
    (local $a00 i64) (local $a10 i64) (local $a20 i64) (local $a30 i64) (local $a40 i64)
    (local $a01 i64) (local $a11 i64) (local $a21 i64) (local $a31 i64) (local $a41 i64)
    (local $a02 i64) (local $a12 i64) (local $a22 i64) (local $a32 i64) (local $a42 i64)
    (local $a03 i64) (local $a13 i64) (local $a23 i64) (local $a33 i64) (local $a43 i64)
    (local $a04 i64) (local $a14 i64) (local $a24 i64) (local $a34 i64) (local $a44 i64)
    (local $b00 i64) (local $b10 i64) (local $b20 i64) (local $b30 i64) (local $b40 i64)
    (local $b01 i64) (local $b11 i64) (local $b21 i64) (local $b31 i64) (local $b41 i64)
    (local $b02 i64) (local $b12 i64) (local $b22 i64) (local $b32 i64) (local $b42 i64)
    (local $b03 i64) (local $b13 i64) (local $b23 i64) (local $b33 i64) (local $b43 i64)
    (local $b04 i64) (local $b14 i64) (local $b24 i64) (local $b34 i64) (local $b44 i64)
    (local $c0 i64) (local $c1 i64) (local $c2 i64) (local $c3 i64) (local $c4 i64)
    (local $d i64)
    (local $round i32) ;; 8 * the number of the round

    (local.set $a00 (i64.load offset=0 (i32.const 0)))
    (local.set $a10 (i64.load offset=8 (i32.const 0)))
    (local.set $a20 (i64.load offset=16 (i32.const 0)))
    (local.set $a30 (i64.load offset=24 (i32.const 0)))
    (local.set $a40 (i64.load offset=32 (i32.const 0)))
    (local.set $a01 (i64.load offset=40 (i32.const 0)))
    (local.set $a11 (i64.load offset=48 (i32.const 0)))
    (local.set $a21 (i64.load offset=56 (i32.const 0)))
    (local.set $a31 (i64.load offset=64 (i32.const 0)))
    (local.set $a41 (i64.load offset=72 (i32.const 0)))
    (local.set $a02 (i64.load offset=80 (i32.const 0)))
    (local.set $a12 (i64.load offset=88 (i32.const 0)))
    (local.set $a22 (i64.load offset=96 (i32.const 0)))
    (local.set $a32 (i64.load offset=104 (i32.const 0)))
    (local.set $a42 (i64.load offset=112 (i32.const 0)))
    (local.set $a03 (i64.load offset=120 (i32.const 0)))
    (local.set $a13 (i64.load offset=128 (i32.const 0)))
    (local.set $a23 (i64.load offset=136 (i32.const 0)))
    (local.set $a33 (i64.load offset=144 (i32.const 0)))
    (local.set $a43 (i64.load offset=152 (i32.const 0)))
    (local.set $a04 (i64.load offset=160 (i32.const 0)))
    (local.set $a14 (i64.load offset=168 (i32.const 0)))
    (local.set $a24 (i64.load offset=176 (i32.const 0)))
    (local.set $a34 (i64.load offset=184 (i32.const 0)))
    (local.set $a44 (i64.load offset=192 (i32.const 0)))

    (loop $rounds
      ;; Theta: the parity of each column.
      (local.set $c0 (i64.xor (i64.xor (local.get $a00) (local.get $a01)) (local.get $a02)))
      (local.set $c0 (i64.xor (local.get $c0) (local.get $a03)))
      (local.set $c0 (i64.xor (local.get $c0) (local.get $a04)))
      (local.set $c1 (i64.xor (i64.xor (local.get $a10) (local.get $a11)) (local.get $a12)))
      (local.set $c1 (i64.xor (local.get $c1) (local.get $a13)))
      (local.set $c1 (i64.xor (local.get $c1) (local.get $a14)))
      (local.set $c2 (i64.xor (i64.xor (local.get $a20) (local.get $a21)) (local.get $a22)))
      (local.set $c2 (i64.xor (local.get $c2) (local.get $a23)))
      (local.set $c2 (i64.xor (local.get $c2) (local.get $a24)))
      (local.set $c3 (i64.xor (i64.xor (local.get $a30) (local.get $a31)) (local.get $a32)))
      (local.set $c3 (i64.xor (local.get $c3) (local.get $a33)))
      (local.set $c3 (i64.xor (local.get $c3) (local.get $a34)))
      (local.set $c4 (i64.xor (i64.xor (local.get $a40) (local.get $a41)) (local.get $a42)))
      (local.set $c4 (i64.xor (local.get $c4) (local.get $a43)))
      (local.set $c4 (i64.xor (local.get $c4) (local.get $a44)))

      ;; Theta's addition, rho's rotation and pi's move, column by column.
      (local.set $d (i64.xor (local.get $c4) (i64.rotl (local.get $c1) (i64.const 1))))
      (local.set $b00 (i64.xor (local.get $a00) (local.get $d)))
      (local.set $b13 (i64.rotl (i64.xor (local.get $a01) (local.get $d)) (i64.const 36)))
      (local.set $b21 (i64.rotl (i64.xor (local.get $a02) (local.get $d)) (i64.const 3)))
      (local.set $b34 (i64.rotl (i64.xor (local.get $a03) (local.get $d)) (i64.const 41)))
      (local.set $b42 (i64.rotl (i64.xor (local.get $a04) (local.get $d)) (i64.const 18)))
      (local.set $d (i64.xor (local.get $c0) (i64.rotl (local.get $c2) (i64.const 1))))
      (local.set $b02 (i64.rotl (i64.xor (local.get $a10) (local.get $d)) (i64.const 1)))
      (local.set $b10 (i64.rotl (i64.xor (local.get $a11) (local.get $d)) (i64.const 44)))
      (local.set $b23 (i64.rotl (i64.xor (local.get $a12) (local.get $d)) (i64.const 10)))
      (local.set $b31 (i64.rotl (i64.xor (local.get $a13) (local.get $d)) (i64.const 45)))
      (local.set $b44 (i64.rotl (i64.xor (local.get $a14) (local.get $d)) (i64.const 2)))
      (local.set $d (i64.xor (local.get $c1) (i64.rotl (local.get $c3) (i64.const 1))))
      (local.set $b04 (i64.rotl (i64.xor (local.get $a20) (local.get $d)) (i64.const 62)))
      (local.set $b12 (i64.rotl (i64.xor (local.get $a21) (local.get $d)) (i64.const 6)))
      (local.set $b20 (i64.rotl (i64.xor (local.get $a22) (local.get $d)) (i64.const 43)))
      (local.set $b33 (i64.rotl (i64.xor (local.get $a23) (local.get $d)) (i64.const 15)))
      (local.set $b41 (i64.rotl (i64.xor (local.get $a24) (local.get $d)) (i64.const 61)))
      (local.set $d (i64.xor (local.get $c2) (i64.rotl (local.get $c4) (i64.const 1))))
      (local.set $b01 (i64.rotl (i64.xor (local.get $a30) (local.get $d)) (i64.const 28)))
      (local.set $b14 (i64.rotl (i64.xor (local.get $a31) (local.get $d)) (i64.const 55)))
      (local.set $b22 (i64.rotl (i64.xor (local.get $a32) (local.get $d)) (i64.const 25)))
      (local.set $b30 (i64.rotl (i64.xor (local.get $a33) (local.get $d)) (i64.const 21)))
      (local.set $b43 (i64.rotl (i64.xor (local.get $a34) (local.get $d)) (i64.const 56)))
      (local.set $d (i64.xor (local.get $c3) (i64.rotl (local.get $c0) (i64.const 1))))
      (local.set $b03 (i64.rotl (i64.xor (local.get $a40) (local.get $d)) (i64.const 27)))
      (local.set $b11 (i64.rotl (i64.xor (local.get $a41) (local.get $d)) (i64.const 20)))
      (local.set $b24 (i64.rotl (i64.xor (local.get $a42) (local.get $d)) (i64.const 39)))
      (local.set $b32 (i64.rotl (i64.xor (local.get $a43) (local.get $d)) (i64.const 8)))
      (local.set $b40 (i64.rotl (i64.xor (local.get $a44) (local.get $d)) (i64.const 14)))

      ;; Chi: each lane with the next two of its row.
      (local.set $a00 (i64.xor (local.get $b00) (i64.and (i64.xor (local.get $b10) (i64.const -1)) (local.get $b20))))
      (local.set $a10 (i64.xor (local.get $b10) (i64.and (i64.xor (local.get $b20) (i64.const -1)) (local.get $b30))))
      (local.set $a20 (i64.xor (local.get $b20) (i64.and (i64.xor (local.get $b30) (i64.const -1)) (local.get $b40))))
      (local.set $a30 (i64.xor (local.get $b30) (i64.and (i64.xor (local.get $b40) (i64.const -1)) (local.get $b00))))
      (local.set $a40 (i64.xor (local.get $b40) (i64.and (i64.xor (local.get $b00) (i64.const -1)) (local.get $b10))))
      (local.set $a01 (i64.xor (local.get $b01) (i64.and (i64.xor (local.get $b11) (i64.const -1)) (local.get $b21))))
      (local.set $a11 (i64.xor (local.get $b11) (i64.and (i64.xor (local.get $b21) (i64.const -1)) (local.get $b31))))
      (local.set $a21 (i64.xor (local.get $b21) (i64.and (i64.xor (local.get $b31) (i64.const -1)) (local.get $b41))))
      (local.set $a31 (i64.xor (local.get $b31) (i64.and (i64.xor (local.get $b41) (i64.const -1)) (local.get $b01))))
      (local.set $a41 (i64.xor (local.get $b41) (i64.and (i64.xor (local.get $b01) (i64.const -1)) (local.get $b11))))
      (local.set $a02 (i64.xor (local.get $b02) (i64.and (i64.xor (local.get $b12) (i64.const -1)) (local.get $b22))))
      (local.set $a12 (i64.xor (local.get $b12) (i64.and (i64.xor (local.get $b22) (i64.const -1)) (local.get $b32))))
      (local.set $a22 (i64.xor (local.get $b22) (i64.and (i64.xor (local.get $b32) (i64.const -1)) (local.get $b42))))
      (local.set $a32 (i64.xor (local.get $b32) (i64.and (i64.xor (local.get $b42) (i64.const -1)) (local.get $b02))))
      (local.set $a42 (i64.xor (local.get $b42) (i64.and (i64.xor (local.get $b02) (i64.const -1)) (local.get $b12))))
      (local.set $a03 (i64.xor (local.get $b03) (i64.and (i64.xor (local.get $b13) (i64.const -1)) (local.get $b23))))
      (local.set $a13 (i64.xor (local.get $b13) (i64.and (i64.xor (local.get $b23) (i64.const -1)) (local.get $b33))))
      (local.set $a23 (i64.xor (local.get $b23) (i64.and (i64.xor (local.get $b33) (i64.const -1)) (local.get $b43))))
      (local.set $a33 (i64.xor (local.get $b33) (i64.and (i64.xor (local.get $b43) (i64.const -1)) (local.get $b03))))
      (local.set $a43 (i64.xor (local.get $b43) (i64.and (i64.xor (local.get $b03) (i64.const -1)) (local.get $b13))))
      (local.set $a04 (i64.xor (local.get $b04) (i64.and (i64.xor (local.get $b14) (i64.const -1)) (local.get $b24))))
      (local.set $a14 (i64.xor (local.get $b14) (i64.and (i64.xor (local.get $b24) (i64.const -1)) (local.get $b34))))
      (local.set $a24 (i64.xor (local.get $b24) (i64.and (i64.xor (local.get $b34) (i64.const -1)) (local.get $b44))))
      (local.set $a34 (i64.xor (local.get $b34) (i64.and (i64.xor (local.get $b44) (i64.const -1)) (local.get $b04))))
      (local.set $a44 (i64.xor (local.get $b44) (i64.and (i64.xor (local.get $b04) (i64.const -1)) (local.get $b14))))

      ;; Iota.
      (local.set $a00 (i64.xor (local.get $a00) (i64.load offset=200 (local.get $round))))
      (br_if $rounds
        (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 8))) (i32.const 192))
      )
    )

    (i64.store offset=0 (i32.const 0) (local.get $a00))
    (i64.store offset=8 (i32.const 0) (local.get $a10))
    (i64.store offset=16 (i32.const 0) (local.get $a20))
    (i64.store offset=24 (i32.const 0) (local.get $a30))
    (i64.store offset=32 (i32.const 0) (local.get $a40))
    (i64.store offset=40 (i32.const 0) (local.get $a01))
    (i64.store offset=48 (i32.const 0) (local.get $a11))
    (i64.store offset=56 (i32.const 0) (local.get $a21))
    (i64.store offset=64 (i32.const 0) (local.get $a31))
    (i64.store offset=72 (i32.const 0) (local.get $a41))
    (i64.store offset=80 (i32.const 0) (local.get $a02))
    (i64.store offset=88 (i32.const 0) (local.get $a12))
    (i64.store offset=96 (i32.const 0) (local.get $a22))
    (i64.store offset=104 (i32.const 0) (local.get $a32))
    (i64.store offset=112 (i32.const 0) (local.get $a42))
    (i64.store offset=120 (i32.const 0) (local.get $a03))
    (i64.store offset=128 (i32.const 0) (local.get $a13))
    (i64.store offset=136 (i32.const 0) (local.get $a23))
    (i64.store offset=144 (i32.const 0) (local.get $a33))
    (i64.store offset=152 (i32.const 0) (local.get $a43))
    (i64.store offset=160 (i32.const 0) (local.get $a04))
    (i64.store offset=168 (i32.const 0) (local.get $a14))
    (i64.store offset=176 (i32.const 0) (local.get $a24))
    (i64.store offset=184 (i32.const 0) (local.get $a34))
    (i64.store offset=192 (i32.const 0) (local.get $a44))
  )

  ;; Adds blocks of 136 bytes from an address to the state, which is permuted after each.
  (func (export "absorb") (param $at i32) (param $blocks i32)
    (if (i32.eqz (local.get $blocks)) (then (return)))
    (loop $next
      (i64.store offset=0 (i32.const 0)
        (i64.xor (i64.load offset=0 (i32.const 0)) (i64.load offset=0 (local.get $at)))
      )
      (i64.store offset=8 (i32.const 0)
        (i64.xor (i64.load offset=8 (i32.const 0)) (i64.load offset=8 (local.get $at)))
      )
      (i64.store offset=16 (i32.const 0)
        (i64.xor (i64.load offset=16 (i32.const 0)) (i64.load offset=16 (local.get $at)))
      )
      (i64.store offset=24 (i32.const 0)
        (i64.xor (i64.load offset=24 (i32.const 0)) (i64.load offset=24 (local.get $at)))
      )
      (i64.store offset=32 (i32.const 0)
        (i64.xor (i64.load offset=32 (i32.const 0)) (i64.load offset=32 (local.get $at)))
      )
      (i64.store offset=40 (i32.const 0)
        (i64.xor (i64.load offset=40 (i32.const 0)) (i64.load offset=40 (local.get $at)))
      )
      (i64.store offset=48 (i32.const 0)
        (i64.xor (i64.load offset=48 (i32.const 0)) (i64.load offset=48 (local.get $at)))
      )
      (i64.store offset=56 (i32.const 0)
        (i64.xor (i64.load offset=56 (i32.const 0)) (i64.load offset=56 (local.get $at)))
      )
      (i64.store offset=64 (i32.const 0)
        (i64.xor (i64.load offset=64 (i32.const 0)) (i64.load offset=64 (local.get $at)))
      )
      (i64.store offset=72 (i32.const 0)
        (i64.xor (i64.load offset=72 (i32.const 0)) (i64.load offset=72 (local.get $at)))
      )
      (i64.store offset=80 (i32.const 0)
        (i64.xor (i64.load offset=80 (i32.const 0)) (i64.load offset=80 (local.get $at)))
      )
      (i64.store offset=88 (i32.const 0)
        (i64.xor (i64.load offset=88 (i32.const 0)) (i64.load offset=88 (local.get $at)))
      )
      (i64.store offset=96 (i32.const 0)
        (i64.xor (i64.load offset=96 (i32.const 0)) (i64.load offset=96 (local.get $at)))
      )
      (i64.store offset=104 (i32.const 0)
        (i64.xor (i64.load offset=104 (i32.const 0)) (i64.load offset=104 (local.get $at)))
      )
      (i64.store offset=112 (i32.const 0)
        (i64.xor (i64.load offset=112 (i32.const 0)) (i64.load offset=112 (local.get $at)))
      )
      (i64.store offset=120 (i32.const 0)
        (i64.xor (i64.load offset=120 (i32.const 0)) (i64.load offset=120 (local.get $at)))
      )
      (i64.store offset=128 (i32.const 0)
        (i64.xor (i64.load offset=128 (i32.const 0)) (i64.load offset=128 (local.get $at)))
      )
      (call $permute)
      (local.set $at (i32.add (local.get $at) (i32.const 136)))
      (br_if $next (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1))))
    )
  )

  ;; Turns parts of 16 hex digits into 8 bytes each. Returns 0 unless one of them is not a lower-case digit: after the
  ;; letters have moved down by 39, digits are at a distance of 0 to 9 from "0" and letters of 10 to 15.
  (func (export "unhex") (param $from i32) (param $to i32) (param $parts i32) (result i32)
    (local $digits v128) (local $letters v128) (local $wrong v128)
    (loop $next
      (local.set $letters
        (i8x16.gt_u
          (local.tee $digits (i8x16.sub (v128.load align=1 (local.get $from)) (i8x16.splat (i32.const 48))))
          (i8x16.splat (i32.const 9))
        )
      )
      (local.set $wrong
        (v128.or
          (v128.or
            (i8x16.gt_u
              (local.tee $digits
                (i8x16.sub (local.get $digits) (v128.and (local.get $letters) (i8x16.splat (i32.const 39))))
              )
              (i8x16.splat (i32.const 15))
            )
            (v128.and (local.get $letters) (i8x16.lt_u (local.get $digits) (i8x16.splat (i32.const 10))))
          )
          (local.get $wrong)
        )
      )
      ;; Two digits a byte.
      (local.set $digits
        (v128.and
          (v128.or
            (i16x8.shl (local.get $digits) (i32.const 4))
            (i16x8.shr_u (local.get $digits) (i32.const 8))
          )
          (i16x8.splat (i32.const 255))
        )
      )
      (v128.store64_lane align=1 0
        (local.get $to)
        (i8x16.narrow_i16x8_u (local.get $digits) (local.get $digits))
      )
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (br_if $next (local.tee $parts (i32.sub (local.get $parts) (i32.const 1))))
    )
    (v128.any_true (local.get $wrong))
  )
)
