# pragma version 0.4.3
# Token.json beside it is: vyper -f bytecode,layout Token.vy

name: public(String[64])
symbol: public(String[32])
owner: address
balanceOf: public(HashMap[address, uint256])
totalSupply: public(uint256)

@deploy
def __init__(holder: address, amount: uint256):
    self.name = "Vyper"
    self.owner = msg.sender
    self.balanceOf[holder] = amount
    self.totalSupply = amount

@external
@nonreentrant
def transfer(to: address, amount: uint256) -> bool:
    self.balanceOf[msg.sender] -= amount
    self.balanceOf[to] += amount
    return True
